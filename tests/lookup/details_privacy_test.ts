import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { describeDetails } from "../../src/rules/describe_details.ts";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import { startLab } from "../lab/lab.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { startService } from "../support/service.ts";

/** What a record, an error or an offer may have of a person. */
const PERSONAL = /jane|\bdoe\b|elm street|springfield|2025550123|mail\.example|@mail/i;
const TEXTS = [
  "Jane Doe",
  "jane.doe@mail.example",
  "tel:+1.2025550123",
  "7 Elm Street, Springfield",
  "https://jane.mail.example/doe",
];

function card(name: string): unknown[] {
  return ["vcard", [
    ["version", {}, "text", "4.0"],
    ["fn", {}, "text", name],
    ["org", {}, "text", "Jane Doe"],
    ["adr", { label: "7 Elm Street" }, "text", [
      "",
      "",
      "7 Elm Street",
      "Springfield",
      "",
      "",
      "US",
    ]],
    ["tel", {}, "uri", "tel:+1.2025550123"],
    ["email", {}, "text", "jane.doe@mail.example"],
  ]];
}

/** Records in the shapes of several registries: contacts beside the registrar, in it, redacted, and as the registrar. */
function recordOf(domain: string, more: Readonly<Record<string, unknown>>): unknown {
  return {
    objectClassName: "domain",
    handle: "JANE-DOE-1",
    entities: [
      {
        objectClassName: "entity",
        handle: "JANE",
        roles: ["registrant"],
        vcardArray: card("Jane Doe"),
      },
      {
        objectClassName: "entity",
        roles: ["administrative", "registrar"],
        vcardArray: card("Jane Doe"),
      },
      {
        objectClassName: "entity",
        roles: ["registrar"],
        vcardArray: ["vcard", [["fn", {}, "text", "Shop Ltd"], ["email", {}, "text", TEXTS[1]]]],
        publicIds: [{ type: "IANA Registrar ID", identifier: "376" }],
        entities: [{ roles: ["abuse"], vcardArray: card("Jane Doe") }],
      },
    ],
    events: [
      { eventAction: "registration", eventActor: "Jane Doe", eventDate: "1995-08-14T04:00:00Z" },
      { eventAction: "expiration", eventDate: "2031-06-18T22:01:39Z" },
    ],
    status: ["active", "Jane Doe"],
    nameservers: [{ ldhName: "ns1.hosting.example", entities: [{ vcardArray: card("Jane Doe") }] }],
    notices: [{ title: "Jane Doe", description: TEXTS, links: [{ href: TEXTS[4] }] }],
    remarks: [{ description: TEXTS }],
    redacted: [{ name: { description: "Jane Doe" }, reason: { description: TEXTS[1] } }],
    ...more,
    ldhName: domain,
  };
}

const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...TEXTS, null, 7, true),
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
const statuses = fc.constantFrom(200, 200, 200, 400, 403, 404, 429, 500, 503);

Deno.test("no answer about a name has a person's data: details, feeds, tools and lines, from any record", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const mcp = async (domain: string) =>
    await postMcp(`${service.url}/mcp/`, toolCall("get_domain_details", { domain }));
  let n = 0;
  let records = 0;
  await fc.assert(
    fc.asyncProperty(members, statuses, fc.boolean(), async (members, status, isDelegated) => {
      // After an error a host rests, so errors come from others than records.
      const tld = status === 200 ? "dev" : ["com", "org", "xyz", "biz", "online"][n % 5];
      const domain = `person-${n++}.${tld}`;
      const body = status === 200
        ? recordOf(domain, members)
        : { errorCode: status, title: TEXTS[0], description: TEXTS, ...members };
      const rdap: HttpBehaviour = { kind: "json", status, body };
      lab.script(domain, {
        dns: isDelegated ? "delegated" : "nxdomain",
        rdap,
        forSale: [["v=FORSALE1;ftxt=Jane Doe"], [`v=FORSALE1;furi=${TEXTS[n % 5]}`]],
      });
      const { body: details } = await service.get(`/details?domain=${domain}`);
      assertEquals(details.domain, domain);
      if (details.registrar?.name === "Shop Ltd") records++;
      const feeds = await Promise.all(
        ["atom", "ics"].map(async (kind) =>
          await (await fetch(`${service.url}/watch.${kind}?domains=${domain}`)).text()
        ),
      );
      const lines = describeDetails(details);
      const texts = [
        JSON.stringify(details),
        ...feeds,
        ...lines,
        JSON.stringify(await mcp(domain)),
      ];
      // The holder may put a name into an address in DNS, which is not the registry's.
      for (const text of texts) {
        const open = text.replaceAll(/https:\/\/jane\.mail\.example\/doe/g, "");
        assert(!PERSONAL.test(open), open);
      }
    }),
    { numRuns: IS_LONG_RUN ? 150 : 40 },
  );
  // Few, by chance.
  assert(records > 0, "no record had a registrar");
});
