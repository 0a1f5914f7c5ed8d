import { assert, assertEquals } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { whoisQuery } from "../../src/rules/tables/hosts.ts";
import { startAvailabilityServer } from "../lab/availability_server.ts";
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
  await using whoisServer = await startAvailabilityServer((line) => answer(domainOf(line)));
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

/**
 * A dialect of availability services: the form of an answer, and its words: of a free name, of a taken one, and others.
 * tests/rules/whois_reply_test.ts has all that each service documents.
 */
interface Dialect {
  readonly answer: (word: string, domain: string) => string;
  readonly words: Readonly<Record<string, Expected>>;
}

const withStatus = (free: string, taken: string, reserved: string): Dialect => ({
  answer: (word, domain) => `% Service\r\nDomain: ${domain.split(".")[0]}\r\nStatus: ${word}\r\n`,
  words: { [free]: PROBABLY_FREE, [taken]: TAKEN, [reserved]: RESERVED },
});

const SWISS: Dialect = {
  answer: (word) => `${word}\r\n`,
  words: {
    "1: Domain name is available": PROBABLY_FREE,
    "0: Domain name is not available": RESERVED,
  },
};

const DIALECTS: Readonly<Record<string, Dialect>> = {
  be: withStatus("AVAILABLE", "NOT AVAILABLE", "NOT ALLOWED"),
  ch: SWISS,
  eu: withStatus("AVAILABLE", "REGISTERED", "BLOCKED"),
  li: SWISS,
  lt: withStatus("available", "registered", "reserved"),
};

/** What any of them may say when it does not answer. */
const FAULTS: Readonly<Record<string, string>> = {
  "a limit": "% Excessive querying, grace period of 300 seconds\r\n",
  "that the address is barred": "-3: barred\r\n",
  "a limit by its code": "-2: limit\r\n",
  "that it fails": "-99: Server error\r\n",
  "an unknown status": "Status: MAYBE\r\n",
  "a status without its colon": "Status AVAILABLE\r\n",
  "two statuses": "Status: AVAILABLE\r\nStatus: NOT AVAILABLE\r\n",
  "two codes": "1:\r\n0:\r\n",
  "that it does not serve the TLD": "TLD is not supported.\r\n",
  "a page": "<html><p>AVAILABLE</p>\r\n",
  nothing: "\r\n",
};

for (const [tld, dialect] of Object.entries(DIALECTS)) {
  const { answer, words } = dialect;
  const [free = "", taken = ""] = Object.keys(words);
  const usual = {
    record: (domain: string) => answer(taken, domain),
    denial: (domain: string) => answer(free, domain),
  };

  Deno.test(`check reads the documented answers of .${tld}'s availability service, and no other`, async () => {
    for (const [word, expected] of Object.entries(words)) {
      expect(await checkUnder(tld, says((domain) => answer(word, domain), usual)), expected);
    }
    for (const text of Object.values(FAULTS)) {
      expect(await checkUnder(tld, says(() => text, usual)), UNKNOWN);
    }
  });

  Deno.test(`check believes no availability service of .${tld} that says the same of every name`, async () => {
    for (const text of [free, taken].map((word) => answer(word, LABEL))) {
      expect(await checkUnder(tld, () => text), UNKNOWN);
    }
  });
}

/** What a WHOIS server may say of one name. */
const SAID: Readonly<Record<string, readonly [text: string, expected: Expected]>> = {
  "that the registry withholds it": ["This name is reserved by the registry.\n", RESERVED],
  "that it refuses our queries": [
    "WHOIS LIMIT EXCEEDED: your address has been blocked. Try again later.\n",
    UNKNOWN,
  ],
  "that it does not serve the TLD": ["TLD is not supported.\n", UNKNOWN],
  "a denial in other words": ["Sorry, we found none of those.\n", UNKNOWN],
  "a page": ["<!doctype html><title>Not found</title>\n", UNKNOWN],
  "the name alone": [`Domain: ${LABEL}\n`, UNKNOWN],
  nothing: ["", UNKNOWN],
};

const WHOIS_ONLY = Object.entries(WHOIS_FORMS).filter(([tld]) =>
  coverageOf(tld)?.facts.coverage === "whois"
);

for (const [tld, form] of WHOIS_ONLY) {
  Deno.test(`check reads records and denials of .${tld}'s WHOIS server, and no other text`, async () => {
    expect(await checkUnder(tld, says(form.denial, form)), PROBABLY_FREE);
    expect(await checkUnder(tld, says(form.record, form)), TAKEN);
    const another = () => form.record(`another-name.${tld}`);
    expect(await checkUnder(tld, says(another, form)), UNKNOWN);
    for (const [text, expected] of Object.values(SAID)) {
      expect(await checkUnder(tld, says(() => text, form)), expected);
    }
  });

  Deno.test(`check believes no WHOIS server of .${tld} that says the same of every name`, async () => {
    expect(await checkUnder(tld, form.denial), UNKNOWN);
    // A record of exactly the name, from a server that has not passed its test.
    expect(await checkUnder(tld, form.record), ["unknown", "taken"]);
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

Deno.test("check believes no server that says of every name what says nothing of one", async () => {
  for (const [text] of Object.values(SAID)) expect(await checkUnder("it", () => text), UNKNOWN);
  for (const text of Object.values(FAULTS)) expect(await checkUnder("be", () => text), UNKNOWN);
});
