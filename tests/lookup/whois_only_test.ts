import { assert, assertEquals } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { coverageOf } from "../../src/rules/coverage.ts";
import { whoisQuery } from "../../src/rules/tables/hosts.ts";
import type { WhoisPlay } from "../lab/whois_behaviours.ts";
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
  const server = coverageOf(tld).whois;
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
function says(word: (domain: string) => string, usual: Texts): (domain: string) => string {
  return (domain) => {
    if (domain.startsWith(`${LABEL}.`)) return word(domain);
    return REGISTERED.test(domain) ? usual.record(domain) : usual.denial(domain);
  };
}

type Expected = readonly [state: string, likely: string | undefined];
const TAKEN: Expected = ["taken", undefined];
const RESERVED: Expected = ["reserved", undefined];
const PROBABLY_FREE: Expected = ["unknown", "available"];
const PROBABLY_TAKEN: Expected = ["unknown", "taken"];
const UNKNOWN: Expected = ["unknown", undefined];

function expect({ state, likely, available }: DomainResult, [word, probably]: Expected): void {
  assertEquals([state, likely, available], [word, probably, false]);
}

/** What a server says of names that it has and of others. */
interface Texts {
  record(domain: string): string;
  denial(domain: string): string;
}

const byStatus = (word: string, domain: string) =>
  `% Service\r\nDomain: ${domain.split(".")[0]}\r\nStatus: ${word}\r\n`;
const noMatch = (domain: string) => `No match for ${domain}\n`;

/** An availability service, a WHOIS server, and two of TLDs that sell under suffixes alone. */
const SERVERS: Readonly<Record<string, Texts>> = {
  be: {
    record: (domain) => byStatus("NOT AVAILABLE", domain),
    denial: (domain) => byStatus("AVAILABLE", domain),
  },
  it: WHOIS_FORMS.it!,
  "com.tr": {
    record: (domain) =>
      `** Domain Name: ${domain}\nDomain Status: Active\nFrozen Status: -\n\n** Registrar:\nNIC Handle\t\t: abc12\n\n** Domain Servers:\nns1.example.net\n`,
    denial: noMatch,
  },
  "co.il": {
    record: (domain) =>
      `query:        ${domain}\n\ndomain:       ${domain}\n\ndescr:        A Person\nadmin-c:      AB-CD1234-IL\nnserver:      ns1.example.net\nvalidity:     29-12-2027\n`,
    denial: noMatch,
  },
};

for (const [suffix, texts] of Object.entries(SERVERS)) {
  Deno.test(`check reads records and denials of .${suffix}'s server, and believes none that says the same of every name`, async () => {
    const { record, denial } = texts;
    expect(await checkUnder(suffix, says(denial, texts)), PROBABLY_FREE);
    expect(await checkUnder(suffix, says(record, texts)), TAKEN);
    expect(await checkUnder(suffix, denial), UNKNOWN);
    expect(await checkUnder(suffix, record), suffix === "be" ? UNKNOWN : PROBABLY_TAKEN);
  });
}

Deno.test("/details has dates, registrar and status of a WHOIS record where no RDAP server is known", async () => {
  const record = (domain: string) =>
    `Domain: ${domain}\nRegistrar: Shop Ltd\nRegistrant: Jane Doe\nCreated: 2011-03-04\nExpires: 2031-03-04\nStatus: ok\n`;
  const ask = async ({ get }: RunningService) => (await get(`/details?domain=${LABEL}.it`)).body;
  const details = (answer: (domain: string) => string) => askUnder("it", answer, ask);
  const body = await details(says(record, { record, denial: noMatch }));
  const { state, source, registrar, createdAt, expiresAt, status, error } = body;
  assertEquals([state, source, registrar], ["taken", "whois", { name: "Shop Ltd" }]);
  assertEquals([createdAt, expiresAt], ["2011-03-04T00:00:00.000Z", "2031-03-04T00:00:00.000Z"]);
  assertEquals([status, error], [["active"], undefined]);
  assert(!JSON.stringify(body).includes("Jane"));
  // A server that has a record of every name proves nothing.
  assertEquals((await details(record)).expiresAt, undefined);
});

/** Texts that are neither a record nor a denial; tests/rules/whois_reply_test.ts has more. */
const OTHERS: readonly (readonly [tld: string, text: string, expected: Expected])[] = [
  ["it", "This name is reserved by the registry.\n", RESERVED],
  ["it", "WHOIS LIMIT EXCEEDED: your address has been blocked. Try again later.\n", UNKNOWN],
  ["it", "Sorry, we found none of those.\n", UNKNOWN],
  ["it", "", UNKNOWN],
  ["it", WHOIS_FORMS.it!.record("another-name.it"), UNKNOWN],
  ["be", "-2: limit\r\n", UNKNOWN],
  ["be", byStatus("NOT ALLOWED", LABEL), RESERVED],
];

Deno.test("check reads what else a server says of a name, and believes it nothing if it says so of every name", async () => {
  for (const [tld, text, expected] of OTHERS) {
    expect(await checkUnder(tld, says(() => text, SERVERS[tld]!)), expected);
    expect(await checkUnder(tld, () => text), UNKNOWN);
  }
});

/** A text of Cyrillic letters in Windows-1251. */
const inRussian = (text: string): WhoisPlay => (
  { kind: "bytes", bytes: Uint8Array.from(text, (sign) => sign.charCodeAt(0) - 0x350) }
);

Deno.test("check calls no name likely available of which WHOIS has another word of the same length in another charset", async () => {
  const form = WHOIS_FORMS.ru!;
  await using whoisServer = await startLineServer((domain) => {
    if (domain.startsWith("google.")) return form.record(domain);
    return inRussian(domain.startsWith("held.") ? "запрещен" : "свободен");
  });
  await onLab(async ({ check }) => {
    assertEquals((await check("brightfjord.su")).likely, "available");
    assertEquals((await check("held.su")).likely, undefined);
  }, { env: { WHOIS: "on", WHOIS_SERVER: whoisServer.address } });
});
