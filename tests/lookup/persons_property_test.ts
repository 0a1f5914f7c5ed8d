import { assert } from "@std/assert";
import fc from "fast-check";
import { detailRows } from "../../static/detail_rows.js";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { startLineServer } from "../lab/whois_server.ts";
import { startLab } from "../lab/lab.ts";
import { WHOIS_FORMS } from "../lab/whois_forms.ts";
import { runCli } from "../support/cli.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { startService } from "../support/service.ts";

/** What a registry knows of a person; each text has a part that nothing else has. */
const NAME = "Zaphodina Quux";
const EMAIL = "zaphodina@persons.example";
const PHONE = "+99.5550199";
const STREET = "42 Magrathea Lane, Betelgeuse";
const PERSON = [NAME, EMAIL, PHONE, STREET];
const PERSONAL = /zaphodina|quux|persons\.example|5550199|magrathea|betelgeuse/i;

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

/** A record with persons as registrant, as registrar, beside and below it, and in every text. */
function recordOf(domain: string, members: Readonly<Record<string, unknown>>): unknown {
  return {
    objectClassName: "domain",
    handle: NAME,
    entities: [
      ...ENTITIES,
      { roles: ["administrative", "registrar"], vcardArray: card() },
      {
        objectClassName: "entity",
        roles: ["registrar"],
        vcardArray: ["vcard", [["fn", {}, "text", "Shop Ltd"], ["email", {}, "text", EMAIL]]],
        publicIds: [{ type: "IANA Registrar ID", identifier: "376" }],
        entities: [{ roles: ["abuse"], vcardArray: card() }],
      },
    ],
    events: [{ eventAction: "registration", eventActor: NAME, eventDate: "1995-08-14T04:00:00Z" }],
    status: ["active", NAME],
    nameservers: [{ ldhName: "ns1.hosting.example", entities: ENTITIES }],
    notices: [{ title: NAME, description: PERSON, links: [{ href: `https://${EMAIL}/` }] }],
    redacted: [{ name: { description: NAME }, reason: { description: EMAIL } }],
    ...members,
    ldhName: domain,
  };
}

const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...PERSON, null, 7, true),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom("ldhName", "eventDate", "eventAction", "roles", "vcardArray", "title"),
      tie("tree"),
      { maxKeys: 4 },
    ),
  ),
})).tree;
const members = fc.dictionary(
  fc.constantFrom("status", "events", "nameservers", "entities", "secureDNS", "notices", "handle"),
  tree,
  { maxKeys: 4 },
);

/** What an RDAP server may say about the name: a record, an error with anything in it, or neither. */
const errors = fc.tuple(members, fc.constantFrom(400, 403, 404, 429, 500, 503))
  .map(([members, status]) => (): HttpBehaviour => (
    { kind: "json", status, body: { errorCode: status, title: NAME, ...members } }
  ));
const rdap = fc.oneof(
  members.map((members) => (domain: string): HttpBehaviour => (
    { kind: "json", status: 200, body: recordOf(domain, members) }
  )),
  fc.constantFrom<(domain: string) => HttpBehaviour>(
    () => ({ kind: "json", status: 404, body: { errorCode: 404, entities: ENTITIES } }),
    () => ({ kind: "json", status: 400, body: { errorCode: 400, holder: NAME, contact: [EMAIL] } }),
    () => ({ kind: "json", status: 200, body: { vcardArray: card(), handle: NAME } }),
    (domain) => ({ kind: "json", status: 200, body: recordOf(`other-${domain}`, {}) }),
    () => ({ kind: "text", status: 404, contentType: "text/html", body: `<p>${NAME} ${EMAIL}` }),
    () => ({ kind: "text", status: 200, contentType: "text/plain", body: `person: ${NAME}` }),
  ),
);

const TLDS = ["com", "net", "org", "biz", "xyz", "store", "cloud", "tech", "io", "ai"];
const REGISTERED = /^(?:google|nic|amazon)\./;

Deno.test("no output has a person's data of any WHOIS record or RDAP document, with a person in any field", async () => {
  const records = new Map<string, string>();
  const form = WHOIS_FORMS.org;
  assert(form !== undefined);
  await using whois = await startLineServer((line) => {
    const domain = line.slice(line.lastIndexOf(" ") + 1).toLowerCase();
    return records.get(domain) ?? form[REGISTERED.test(domain) ? "record" : "denial"](domain);
  });
  await using lab = await startLab();
  let n = 0;
  let taken = 0;
  let registrars = 0;
  await fc.assert(
    fc.asyncProperty(whoisRecord, rdap, errors, fc.nat(2), async (record, known, error, kind) => {
      const [label, tld = ""] = [`person-${n}`, TLDS[n++ % TLDS.length]];
      const domain = `${label}.${tld}`;
      // Its own, because a server that refuses a query is not asked for a minute.
      const env = { WHOIS: "on", WHOIS_SERVER: whois.address, TLDS: tld };
      await using service = await startService(lab, { env });
      records.set(domain, record(domain));
      // A third are errors, and a third are delegated.
      const [isError, isDelegated] = [kind === 1, kind === 2];
      lab.script(domain, {
        dns: isDelegated ? "delegated" : "nxdomain",
        rdap: isError ? error() : known(domain),
        forSale: [[`v=FORSALE1;ftxt=${NAME}`], [`v=FORSALE1;furi=mailto:${EMAIL}`]],
      });
      const read = async (path: string, accept = "application/json") =>
        await (await fetch(`${service.url}${path}`, { headers: { accept } })).text();
      const call = async (name: string, input: Record<string, unknown>) =>
        JSON.stringify(await postMcp(`${service.url}/mcp/`, toolCall(name, input)));
      const details = await read(`/details?domain=${domain}`);
      if (details.includes("Shop Ltd")) registrars++;
      const outputs = [
        details,
        ...detailRows(JSON.parse(details)).flat(),
        await call("get_domain_details", { domain }),
        await read(`/watch.atom?domains=${domain}`),
        await read(`/watch.ics?domains=${domain}`),
        await read("/metrics"),
        await read("/health"),
      ];
      // What denies, refuses or fails is quoted, and what the holder of a name offers in DNS.
      if (!isError) {
        const path = `/check?name=${label}&tld=${tld}${isDelegated ? "" : "&evidence=1"}`;
        const json = await read(path);
        if (/"state":"taken"/.test(json)) taken++;
        const checked = { names: [domain], evidence: !isDelegated, details: true };
        outputs.push(
          json,
          await read(`/search?q=${domain}`, "text/html"),
          await call("check_domain", checked),
        );
        // A stream would wait for the end of such a pause.
        if (!record(domain).includes(REFUSAL)) {
          const args = isDelegated ? [domain] : [domain, "--explain"];
          outputs.push(
            await read(path, "application/x-ndjson"),
            await read(path, "text/event-stream"),
            ...Object.values(await runCli(args, service.services)).map(String),
          );
        }
        outputs.push(JSON.stringify(service.events));
      }
      for (const output of outputs) assert(!PERSONAL.test(output), output);
    }),
    { numRuns: IS_LONG_RUN ? 250 : 25, seed: 20_261_126 },
  );
  assert(taken > 2, `${taken} records were read as records`);
  assert(registrars > 2, `${registrars} records had a registrar`);
});
