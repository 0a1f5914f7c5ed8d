import { assert, assertEquals } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { whoisQuery } from "../../src/rules/tables/hosts.ts";
import { startLineServer } from "../lab/whois_server.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { onLab } from "../support/on_lab.ts";
import type { RunningService } from "../support/service.ts";

/** The name that is asked about; DNS shows those which the registry's server is tested with. */
const LABEL = "some-name";
const REGISTERED = /^(?:google|nic|amazon)\./;

/** The row of the name where no registry under the TLD has RDAP, and its WHOIS server or availability service answers so. */
function checkUnder(tld: string, answer: (domain: string) => string): Promise<DomainResult> {
  return askUnder(tld, answer, (service) => service.check(`${LABEL}.${tld}`));
}

async function askUnder<Answer>(
  tld: string,
  answer: (domain: string) => string,
  ask: (service: RunningService) => Promise<Answer>,
): Promise<Answer> {
  const server = coverageOf(tld)?.whois;
  assert(server !== undefined, tld);
  const suffix = whoisQuery(server, `x.${tld}`).endsWith(`.${tld}`) ? "" : `.${tld}`;
  const domainOf = (line: string) => `${line.slice(line.lastIndexOf(" ") + 1)}${suffix}`;
  await using whoisServer = await startLineServer((line) => answer(domainOf(line)));
  const env = { WHOIS: "on", WHOIS_SERVER: whoisServer.address, TLDS: "com", ANY_TLD: "on" };
  const answers: Answer[] = [];
  await onLab(async (service) => void answers.push(await ask(service)), { env });
  // A server that refuses a random name is not asked about the name itself.
  const { questions } = whoisServer;
  assert(questions.length > 0);
  assertEquals(questions, questions.map((line) => whoisQuery(server, domainOf(line))));
  return answers[0]!;
}

/** What a server says of a name; of every other name that is registered a record, and of all others its denial. */
function says(
  word: (domain: string) => string,
  usual: { record(domain: string): string; denial(domain: string): string },
): (domain: string) => string {
  return (domain) => {
    if (domain.startsWith(`${LABEL}.`)) return word(domain);
    return REGISTERED.test(domain) ? usual.record(domain) : usual.denial(domain);
  };
}

type Expected = readonly [state: string, likely: string | undefined];
const TAKEN: Expected = ["taken", undefined];
const RESERVED: Expected = ["reserved", undefined];
const PROBABLY_FREE: Expected = ["unknown", "available"];
const UNKNOWN: Expected = ["unknown", undefined];

function expect({ state, likely, available }: DomainResult, [word, probably]: Expected): void {
  assertEquals([state, likely, available], [word, probably, false]);
}

/** A server that is asked about one name, which it does not serve by RDAP. */
interface Server {
  readonly tld: string;
  readonly record: (domain: string) => string;
  readonly denial: (domain: string) => string;
  /** What its record of the name means, and the same where it has one of every name. */
  readonly recorded: Expected;
  readonly recordedAlways: Expected;
}

/** An availability service by its answer, and its words for a free name and a taken one; tests/rules/whois_reply_test.ts has all. */
function serviceOf(
  tld: string,
  answer: (word: string, domain: string) => string,
  [free, taken, recorded = TAKEN]: readonly [string, string, Expected?],
): Server {
  return {
    tld,
    record: (domain) => answer(taken, domain),
    denial: (domain) => answer(free, domain),
    recorded,
    recordedAlways: UNKNOWN,
  };
}

const byStatus = (word: string, domain: string) =>
  `% Service\r\nDomain: ${domain.split(".")[0]}\r\nStatus: ${word}\r\n`;
const SWISS = [
  "1: Domain name is available",
  "0: Domain name is not available",
  RESERVED,
] as const;

/** What a WHOIS server may say of one name. */
const SAID: readonly (readonly [text: string, expected: Expected])[] = [
  ["This name is reserved by the registry.\n", RESERVED],
  ["WHOIS LIMIT EXCEEDED: your address has been blocked. Try again later.\n", UNKNOWN],
  ["Sorry, we found none of those.\n", UNKNOWN],
  ["", UNKNOWN],
];

const SERVERS: readonly Server[] = [
  serviceOf("be", byStatus, ["AVAILABLE", "NOT AVAILABLE"]),
  serviceOf("eu", byStatus, ["AVAILABLE", "REGISTERED"]),
  serviceOf("lt", byStatus, ["available", "registered"]),
  ...["ch", "li"].map((tld) => serviceOf(tld, (word) => `${word}\r\n`, SWISS)),
  ...Object.entries(WHOIS_FORMS).filter(([tld]) => coverageOf(tld)?.facts.coverage === "whois")
    .map(([tld, form]) => ({
      ...form,
      tld,
      recorded: TAKEN,
      recordedAlways: ["unknown", "taken"] as const,
    })),
];

for (const { tld, record, denial, recorded, recordedAlways } of SERVERS) {
  Deno.test(`check reads records and denials of .${tld}'s server, and believes none that says the same of every name`, async () => {
    const usual = { record, denial };
    expect(await checkUnder(tld, says(denial, usual)), PROBABLY_FREE);
    expect(await checkUnder(tld, says(record, usual)), recorded);
    expect(await checkUnder(tld, denial), UNKNOWN);
    expect(await checkUnder(tld, record), recordedAlways);
  });
}

/** Records in the forms of two registries that sell under suffixes alone. */
const OF_SUFFIXES: Readonly<Record<string, (domain: string) => string>> = {
  "com.tr": (domain) =>
    `** Domain Name: ${domain}\nDomain Status: Active\nFrozen Status: -\n\n** Registrar:\nNIC Handle\t\t: abc12\n\n** Domain Servers:\nns1.example.net\nns2.example.net\n`,
  "co.il": (domain) =>
    `query:        ${domain}\n\nreg-name:     ${
      domain.split(".")[0]
    }\ndomain:       ${domain}\n\ndescr:        A Person\nadmin-c:      AB-CD1234-IL\nnserver:      ns1.example.net\nvalidity:     29-12-2027\n`,
};

for (const [suffix, record] of Object.entries(OF_SUFFIXES)) {
  Deno.test(`check asks the TLD's WHOIS server about names under .${suffix}`, async () => {
    const form = { record, denial: (domain: string) => `No match for ${domain}\n` };
    expect(await checkUnder(suffix, says(form.record, form)), TAKEN);
    expect(await checkUnder(suffix, says(form.denial, form)), PROBABLY_FREE);
  });
}

Deno.test("/details has dates, registrar and status of a WHOIS record where no RDAP server is known", async () => {
  const record = (domain: string) =>
    `Domain: ${domain}\nRegistrar: Shop Ltd\nRegistrant: Jane Doe\nCreated: 2011-03-04\nExpires: 2031-03-04\nStatus: ok\n`;
  const denial = (domain: string) => `No match for ${domain}\n`;
  const details = async (answer: (domain: string) => string) =>
    await askUnder(
      "it",
      answer,
      async ({ get }) => (await get(`/details?domain=${LABEL}.it`)).body,
    );
  const { state, source, registrar, createdAt, expiresAt, status, error, ...more } = await details(
    says(record, { record, denial }),
  );
  assertEquals([state, source, registrar, createdAt, expiresAt, status, error], [
    "taken",
    "whois",
    { name: "Shop Ltd" },
    "2011-03-04T00:00:00.000Z",
    "2031-03-04T00:00:00.000Z",
    ["active"],
    undefined,
  ]);
  assert(!JSON.stringify(more).includes("Jane"));
  // A server that has a record of every name proves nothing.
  assertEquals((await details(record)).expiresAt, undefined);
});

/** Texts that are neither a record nor a denial; tests/rules/whois_reply_test.ts has more. */
const OTHERS: Readonly<Record<string, readonly (readonly [text: string, expected: Expected])[]>> = {
  it: [...SAID, [WHOIS_FORMS.it!.record("another-name.it"), UNKNOWN]],
  be: [["-2: limit\r\n", UNKNOWN], [byStatus("NOT ALLOWED", LABEL), RESERVED]],
};

for (const [tld, texts] of Object.entries(OTHERS)) {
  Deno.test(`check reads what else the server of .${tld} says of a name, and believes it nothing if it says so of every name`, async () => {
    const usual = SERVERS.find((server) => server.tld === tld)!;
    for (const [text, expected] of texts) {
      expect(await checkUnder(tld, says(() => text, usual)), expected);
      expect(await checkUnder(tld, () => text), UNKNOWN);
    }
  });
}
