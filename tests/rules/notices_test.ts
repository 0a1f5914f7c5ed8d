import { assertEquals } from "@std/assert";
import type { Notice } from "../../src/rules/answer.ts";
import { readNotice, refusesAnyName } from "../../src/rules/readers/notices.ts";
import { collectStatements } from "../../src/rules/readers/statements.ts";
import { differences, templateOf } from "../../src/rules/readers/templates.ts";

const askedOf = (label: string) => ({ label, domain: `${label}.dev` });
const MADE_UP = askedOf("qwertyuiopasdfghjklzxcvbnmqwer");
const USUAL = { title: "Not Found", description: ["The object was not found in our database"] };

type Body = Readonly<Record<string, unknown>>;

/** Reads a 404 for a domain at a registry that has `usual` for made-up names. */
function read(body: Body, { label = "name", usual = USUAL as Body } = {}): Notice {
  const said = collectStatements(body) ?? [];
  const template = templateOf(collectStatements(usual) ?? [], MADE_UP);
  const asked = askedOf(label);
  return readNotice(differences(said, asked, [template]), asked);
}

/** Each phrase of a refusal alone. */
// deno-fmt-ignore -- a list
const REFUSALS = [
  "un-available", "not currently available", "not publicly available", "Domain is not available", "no longer available",
  "name.dev cannot be registered", "can not be sold", "may not be bought", "must not be purchased",
  "will not be registered", "not for sale", "reserved", "a reservation exists", "blocked", "blocklist", "on the block list",
  "GlobalBlock", "Global Block", "Adult Block", "AdultBlock", "Uni EPS", "DPML", "Brand Protection", "Trademarks",
  "Restricted", "Registration is prohibited", "forbidden", "withheld from delegation", "not allowed", "not permitted",
  "not eligible", "Dropzone", "Drop-Zone", "Drop--Zone", "Auctions", "in the Expiry Access Period",
];

/** The lines that a description has besides the usual ones, by their meaning. */
const DESCRIPTIONS: Readonly<Record<Notice["kind"], readonly (string | string[])[]>> = {
  plain: [[]],
  reserved: [
    ...REFUSALS,
    ["This name is not available for registration:", "Registry Reserved"],
    "This premium name is reserved by the registry",
    "This name is not available\nfor registration",
    "This name is not  available\u00a0for registration",
    // Legal words beside the reason.
    "Registry Reserved in accordance with the terms and conditions of the registry",
    "name.dev blocked by BSA under the terms of GlobalBlock",
    "Name is not available for registration (access restricted)",
    // Other spellings.
    "registry_reserved",
    "Registry\u2011Reserved",
    "Re\u00adserved",
  ],
  // A name is available at a premium price, so other words beside it may take that back.
  premium: [
    "Premium",
    "This premium domain is available for purchase. Please write to us.",
    "This platinum domain is available for purchase. Please contact platinums@registry.example.",
    "Registry Premium, tier 3: USD 2,500.00 per year",
    "Premium price: €80 (renewal €80)",
    "name.dev is a premium name",
    "Premium name. All rights reserved.",
  ],
  unread: [
    ["This name is not available:", "Tld not supported by this registry interface"],
    "name.dev not found",
    ["Domain Name: name.dev", "No match"],
    "Domain name.dev is available for registration",
    "404 Not Found",
    ["All rights reserved.", "All Rights Are Reserved"],
    "This premium name can't be bought",
    "Premium name, kept by the registry operator for its own use",
    "Premium: no",
    "Premium 🚫",
    ["name.dev not found", "Premium"],
    ["Premium", "Ce nom est réservé"],
    "Gesperrt durch die Registrierungsstelle",
    "保留",
    "r\u0435served with a Cyrillic letter",
  ],
};

const notice = (title: string, text: string) => ({ notices: [{ title, description: [text] }] });

/** A sentence of legal text, which counts if it is about the queried name. */
const legal = (sentence: string) =>
  notice("Terms of Use", `Some terms apply. ${sentence}. See the website.`);

/** Other members of the 404. */
const MEMBERS: Readonly<Record<"reserved" | "premium" | "unread", readonly Body[]>> = {
  reserved: [
    { rdapConformance: ["reserved_name_0"] },
    { title: "Reserved" },
    { description: [["nested", ["Registry Reserved"]]] },
    { status: ["reserved"] },
    { notices: [{ title: "Blocked Domain", description: "by a service" }] },
    legal("The domain name has been reserved"),
    legal("This domain was blocked"),
    legal("The label cannot be registered"),
    legal("This string can not be sold"),
    legal("This name may not be registered"),
    legal("The name will not be sold"),
    legal("Reserved: name.dev"),
  ],
  premium: [
    { comment: ["Premium"] },
    { price_tier: ["Premium"] },
    { notices: [{ description: ["This premium domain is available for purchase."] }] },
  ],
  unread: [
    notice("Terms of Service", "We reserve the right"),
    notice("Status Codes", "premium, reserved"),
    notice("Terms", "This name is kept by its owner"),
    legal("Domain names that are reserved cannot be registered"),
    { errorCode: 404 },
    { comment: "All rights reserved" },
    { comment: ["Premium", "\u200b"] },
    { title: "Premium", comment: "Gesperrt" },
    { title: "Reserved", comment: "Tld not supported by this registry" },
    { kept: ["Premium", "Premium"] },
    { premium: true },
    { available: "no" },
    { reason: null },
    { blocks: [] },
    { kept: { value: true } },
    { port43: "whois.a.example" },
  ],
};

for (const [kind, descriptions] of Object.entries(DESCRIPTIONS)) {
  Deno.test(`readNotice() is ${kind} for descriptions that mean it`, () => {
    for (const lines of descriptions) {
      const description = [USUAL.description, lines].flat(2);
      assertEquals(read({ ...USUAL, description }).kind, kind, `${lines}`);
    }
  });
}

for (const [kind, bodies] of Object.entries(MEMBERS)) {
  Deno.test(`readNotice() is ${kind} for other members that mean it`, () => {
    for (const more of bodies) {
      assertEquals(read({ ...USUAL, ...more }).kind, kind, JSON.stringify(more));
    }
  });
}

Deno.test("readNotice() is plain when the registry sends the same text for made-up names, whatever the words of the queried name", () => {
  const odd = {
    title: "Nicht gefunden",
    remarks: [{ description: ["Reserved and premium names have other conditions"] }],
  };
  assertEquals(read(odd, { usual: odd }), { kind: "plain" });
  const reserved = { ...odd, remarks: [{ description: ["Reserved"] }] };
  assertEquals(read(reserved, { usual: odd }).kind, "reserved");
  // Radix's text for any name that is not registered, premium ones included (recorded on 2026-09-30).
  const radix = (domain: string) => ({
    title: "Not Found",
    description: [
      `Domain ${domain} is available for registration`,
      "Please visit https://rdap.radix.host/registrars/ for a list of accredited registrars",
    ],
  });
  for (const label of ["titlesearch-nx-7c41e9", "not", "found", "domain", "available"]) {
    const notice = read(radix(`${label}.dev`), { label, usual: radix(MADE_UP.domain) });
    assertEquals(notice.kind, "plain", label);
  }
  const terms = (text: string) => ({ ...USUAL, ...notice("Terms", text) });
  assertEquals(read(terms("Premium"), { usual: terms("Names") }).kind, "unread");
  const usual = { ...USUAL, description: [`${MADE_UP.domain} not found`] };
  const description = ["NOT-AVAILABLE.DEV not found"];
  assertEquals(read({ ...USUAL, description }, { label: "not-available", usual }).kind, "plain");
});

/** Whole 404s, and what is quoted of them. */
const QUOTED: [more: Body, notice: Notice][] = [
  [{ description: ["Not Found", "Name.dev: Registry Reserved"] }, {
    kind: "reserved",
    words: "Not Found Name.dev: Registry Reserved",
  }],
  [{ title: "Reserved", comment: "Gesperrt" }, { kind: "reserved", words: "Reserved" }],
  [{ remarks: [{ title: "Gesperrt" }] }, { kind: "unread", words: "remarks.title: Gesperrt" }],
];

Deno.test("readNotice() quotes the registry when a name is reserved or the text is unknown, and what a 404 lacks only where it has nothing else", () => {
  for (const [more, notice] of QUOTED) assertEquals(read({ ...USUAL, ...more }), notice);
  assertEquals(read({ title: "Gesperrt" }), { kind: "unread", words: "Gesperrt" });
  assertEquals(read({}, { usual: {} }).kind, "plain");
  const words = `lacks: description: ${USUAL.description}`;
  assertEquals(read({ title: "Not Found" }), { kind: "unread", words });
  for (const lacking of ["This premium name is available", "Or reserved by the registry"]) {
    const usual = { title: "Not Found", description: [lacking] };
    assertEquals(read({ title: "Not Found" }, { usual }).kind, "unread", lacking);
  }
});

/** Of Google, CentralNic and a registry with CZ.NIC's software, as recorded on 2026-09-30. */
// deno-fmt-ignore -- one text a line
const RECORDED_TERMS = [
  notice("RDAP Terms of Service", "We reserve the right to restrict or deny your access to the database if we suspect that you have failed to comply with these terms."),
  notice("Terms of Use", "High-volume, automated access will result in being permanently blacklisted or rate limited."),
  notice("Disclaimer", "Data contained in the domain name register are appointed only for purposes connected with Internet network administration.\n"),
];

Deno.test("refusesAnyName() is true for words against the name in any place, not for general terms", () => {
  const refuses = (more: Body) =>
    refusesAnyName(collectStatements({ ...USUAL, ...more }) ?? [], MADE_UP);
  const against = [
    { remarks: [{ description: [`${MADE_UP.domain} is reserved by the registry`] }] },
    { status: ["reserved"] },
    { status: ["active"] },
    { reason: "not available for registration" },
    { title: "This TLD is not supported by this registry" },
    notice("Notice", "This name is not available for registration. The registry is closed."),
    notice("Terms of Use", "Terms apply. The domain is blocked."),
    notice("Name Blocked", "Blocked by GlobalBlock. Not available for registration."),
    notice("Reserved names", "See the website."),
    // Words of access stand for general terms only in a notice.
    { description: ["Object not found: access to this service is blocked"] },
  ];
  const general = [
    {},
    ...RECORDED_TERMS,
    notice("Terms of Use", "Any name may be reserved, blocked or prohibited."),
    notice("Notice", "Access is restricted. Queries over the limit are blocked."),
    notice("Notice", "A request may be blocked. The service is restricted. A query is prohibited"),
    notice("Notice", "Requests may be blocked. Services are restricted. Data is reserved"),
    notice("Notice", "Use of the database is prohibited"),
  ];
  assertEquals([...against, ...general].filter(refuses), against);
});
