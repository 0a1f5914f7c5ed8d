import { assert } from "@std/assert";
import fc from "fast-check";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { startAvailabilityServer } from "../lab/availability_server.ts";
import { startLab } from "../lab/lab.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { runCli } from "../support/cli.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { startService } from "../support/service.ts";

/** What a registry knows of a person; each text has a part that nothing else has. */
const PERSON = [
  "Zaphodina Quux",
  "zaphodina@persons.example",
  "+99.5550199",
  "42 Magrathea Lane, Betelgeuse",
] as const;
const PERSONAL = /zaphodina|quux|persons\.example|5550199|magrathea|betelgeuse/i;
const [NAME, EMAIL, PHONE, STREET] = PERSON;

/** Keys of records, in the words and forms of several registries. */
const KEYS = [
  "Registrant Name",
  "Registrant Contact Email",
  "person",
  "holder-c",
  "Admin Phone",
  "owner",
  "e-mail",
  "Tech Street",
  "descr",
  "Domain Servers",
  "Status",
  "Note",
];

/** How a line of a record shows a field. */
const LINES: readonly ((key: string, value: string) => string)[] = [
  (key, value) => `${key}: ${value}`,
  (key, value) => `   ${key.padEnd(20, ".")}: ${value}`,
  (key, value) => `[${key}]   ${value}`,
  (key, value) => `** ${key}:\n   ${value}`,
  (key, value) => `${key}:\t\t${value}`,
];

const TERMS =
  "% Terms of use: all rights reserved. Access may be restricted for automated queries.";

const REFUSAL = "limit exceeded";

const field = fc.tuple(
  fc.constantFrom(...LINES),
  fc.constantFrom(...KEYS),
  fc.constantFrom(...PERSON, "reserved by the registry", REFUSAL, "ok"),
);

/** A record: with the domain's name, another name or none, known fields or not, and terms around it. */
const whoisRecord = fc.record({
  name: fc.constantFrom("own", "other", "none"),
  isKnown: fc.boolean(),
  fields: fc.array(field, { minLength: 1, maxLength: 8 }),
  terms: fc.constantFrom("", TERMS, `${TERMS}\n\n`),
  isLong: fc.boolean(),
}).map(({ name, isKnown, fields, terms, isLong }) => (domain: string) =>
  [
    terms,
    name === "none" ? "" : `Domain Name: ${name === "own" ? domain : `other-${domain}`}`,
    isKnown ? "Registrar: Lab Registrar Ltd\nCreation Date: 2011-03-04T05:06:07Z" : "",
    ...fields.map(([line, key, value]) => line(key, value)),
    isLong ? `${NAME}\n`.repeat(700) : "",
  ].filter((line) => line !== "").join("\n") + "\n"
);

function card(): unknown[] {
  return ["vcard", [
    ["fn", {}, "text", NAME],
    ["adr", { label: STREET }, "text", ["", "", STREET, "", "", "", "US"]],
    ["tel", {}, "uri", `tel:${PHONE}`],
    ["email", {}, "text", EMAIL],
  ]];
}

const ENTITIES = [{ objectClassName: "entity", roles: ["registrant"], vcardArray: card() }];

/** What an RDAP server may say about the name beside its record. */
const rdap = fc.constantFrom<(domain: string) => HttpBehaviour>(
  () => ({ kind: "json", status: 404, body: { errorCode: 404, entities: ENTITIES } }),
  () => ({ kind: "json", status: 400, body: { errorCode: 400, title: "Bad", entities: ENTITIES } }),
  () => ({ kind: "json", status: 400, body: { errorCode: 400, holder: NAME, contact: [EMAIL] } }),
  () => ({ kind: "json", status: 404, body: { errorCode: 404, registrant: { name: NAME } } }),
  () => ({ kind: "json", status: 200, body: { vcardArray: card(), handle: NAME } }),
  (domain) => ({
    kind: "json",
    status: 200,
    body: { objectClassName: "domain", ldhName: `other-${domain}`, entities: ENTITIES },
  }),
  (domain) => ({
    kind: "json",
    status: 200,
    body: { objectClassName: "domain", ldhName: domain, entities: ENTITIES, remarks: [NAME] },
  }),
  () => ({ kind: "text", status: 404, contentType: "text/html", body: `<p>${NAME} ${EMAIL}` }),
  () => ({ kind: "text", status: 200, contentType: "text/plain", body: `person: ${NAME}` }),
);

const TLDS = ["com", "net", "org", "biz", "xyz", "store", "cloud", "tech", "io", "ai"];
const REGISTERED = /^(?:google|nic|amazon)\./;

Deno.test("no output has a person's data of any WHOIS record or RDAP document, with a person in any field", async () => {
  const records = new Map<string, string>();
  const form = WHOIS_FORMS.org;
  assert(form !== undefined);
  await using whois = startAvailabilityServer((line) => {
    const domain = line.slice(line.lastIndexOf(" ") + 1).toLowerCase();
    return records.get(domain) ?? form[REGISTERED.test(domain) ? "record" : "denial"](domain);
  });
  await using lab = await startLab();
  let n = 0;
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(whoisRecord, rdap, async (record, rdap) => {
      const [label, tld = ""] = [`person-${n}`, TLDS[n++ % TLDS.length]];
      const domain = `${label}.${tld}`;
      // Its own, because a server that refuses a query is not asked for a minute.
      const env = { WHOIS: "on", WHOIS_SERVER: whois.address, TLDS: tld };
      await using service = await startService(lab, { env });
      records.set(domain, record(domain));
      lab.script(domain, { dns: "nxdomain", rdap: rdap(domain) });
      const path = `/check?name=${label}&tld=${tld}&evidence=1`;
      const read = async (path: string, accept = "application/json") =>
        await (await fetch(`${service.url}${path}`, { headers: { accept } })).text();
      const json = await read(path);
      if (/"state":"taken"/.test(json)) taken++;
      const outputs = [
        json,
        await read(`/search?q=${domain}`, "text/html"),
        await read(`/details?domain=${domain}`),
        await read(`/watch.atom?domains=${domain}`),
        JSON.stringify(
          await postMcp(
            `${service.url}/mcp/`,
            toolCall("check_domain", { names: [domain], evidence: true, details: true }),
          ),
        ),
        await read("/metrics"),
        await read("/health"),
      ];
      // A stream would wait for the end of such a pause.
      if (!record(domain).includes(REFUSAL)) {
        outputs.push(
          await read(path, "application/x-ndjson"),
          await read(path, "text/event-stream"),
          ...Object.values(await runCli([domain, "--explain"], service.services)).map(String),
        );
      }
      outputs.push(JSON.stringify(service.events));
      for (const output of outputs) assert(!PERSONAL.test(output), output);
    }),
    { numRuns: 40, seed: 20_261_126 },
  );
  assert(taken > 5, `${taken} records were read as records`);
});
