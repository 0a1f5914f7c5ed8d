import { assertEquals } from "@std/assert";
import type { Notice } from "../../src/rules/answer.ts";
import { readNotice, refusesAnyName } from "../../src/rules/readers/notices.ts";
import { collectStatements } from "../../src/rules/readers/statements.ts";
import { differences, templateOf } from "../../src/rules/readers/templates.ts";

const MADE_UP = {
  label: "qwertyuiopasdfghjklzxcvbnmqwer",
  domain: "qwertyuiopasdfghjklzxcvbnmqwer.dev",
};
const USUAL = { title: "Not Found", description: ["The object was not found in our database"] };

type Body = Readonly<Record<string, unknown>>;

/** Reads a 404 for a domain at a registry that has `usual` for made-up names. */
function read(body: Body, { label = "name", usual = USUAL as Body } = {}): Notice {
  const said = collectStatements(body) ?? [];
  const template = templateOf(collectStatements(usual) ?? [], MADE_UP);
  const asked = { label, domain: `${label}.dev` };
  return readNotice(differences(said, asked, [template]), asked);
}

/** The meaning of lines that a description has besides the usual ones. */
const DESCRIPTIONS: [Notice["kind"], string[]][] = [
  ["plain", []],
  ["unread", ["name.dev not found"]],
  ["unread", ["Object not found", "The requested domain name.dev was not found."]],
  ["unread", ["Domain Name: name.dev", "No match"]],
  ["unread", ["Domain name.dev is available for registration"]],
  ["unread", ["name.dev does not exist"]],
  ["unread", ["No such domain: name.dev"]],
  ["unread", ["The domain name is not registered"]],
  ["unread", ["404 Not Found"]],
  ["unread", ["Error: this object could not be found"]],
  ["unread", ["Query: not found"]],
  ["unread", ["All rights reserved.", "All Rights Are Reserved"]],
  ["reserved", ["This name is not available for registration:", "Registry Reserved"]],
  ["reserved", ["name.dev blocked by BSA"]],
  ["reserved", ["This name has been blocked by a GlobalBlock service"]],
  ["reserved", [
    "This domain is currently available for application via the PIR Dropzone service.",
  ]],
  ["reserved", ["This name is reserved by the Registry in accordance with ICANN Policy."]],
  ["reserved", [
    "The registration of this domain is restricted, as it is protected by the DPML Brand Protection policy.",
  ]],
  ["reserved", ["Restricted"]],
  ["reserved", ["Reserved Domain Name"]],
  ["reserved", ["This name subscribes to the Uni EPS+ product"]],
  ["reserved", ["This name subscribes to the AdultBlock product"]],
  ["reserved", ["The name goes to auction"]],
  ["reserved", ["This premium name is reserved by the registry"]],
  ["reserved", ["Status: Reserved"]],
  ["reserved", ["name.dev reserved"]],
  ["reserved", ["This name is not available\nfor registration"]],
  ["reserved", ["This name is not", "available for registration"]],
  ["reserved", ["This name is not  available\u00a0for registration"]],
  ["reserved", ["object not found\nregistry reserved"]],
  // Sentences with legal words beside the reason.
  ["reserved", [
    "Registry Reserved in accordance with the terms and conditions of the registry",
  ]],
  ["reserved", ["name.dev is reserved under the terms of the Registry Agreement"]],
  ["reserved", ["name.dev blocked by BSA under the terms of GlobalBlock"]],
  ["reserved", ["Reserved by the Registry under the terms of Specification 5"]],
  ["reserved", ["Reserved name (see terms of use)"]],
  ["reserved", [
    "Not available for registration under the terms of the Registry-Registrant Agreement",
  ]],
  ["reserved", ["Name is not available for registration (access restricted)"]],
  ["reserved", ["DPML brand protection: terms and conditions apply"]],
  // Other spellings and other words.
  ["reserved", ["Global Block"]],
  ["reserved", ["Drop-Zone"]],
  ["reserved", ["Drop--Zone"]],
  ["reserved", ["registry_reserved"]],
  ["reserved", ["Registry\u2011Reserved"]],
  ["reserved", ["Re\u00adserved"]],
  ["reserved", ["the string is in reserved list"]],
  ["reserved", ["is a reserved word"]],
  ["reserved", ["name.dev cannot be registered"]],
  ["reserved", ["Unavailable"]],
  ["reserved", ["Domain is not available"]],
  ["reserved", ["Registration is prohibited"]],
  ["reserved", ["This domain is withheld from delegation"]],
  ["reserved", ["on the block list"]],
  // Each phrase alone.
  ["reserved", ["un-available"]],
  ["reserved", ["not currently available"]],
  ["reserved", ["not publicly available"]],
  ["reserved", ["no longer available"]],
  ["reserved", ["can not be sold"]],
  ["reserved", ["may not be bought"]],
  ["reserved", ["must not be purchased"]],
  ["reserved", ["will not be registered"]],
  ["reserved", ["not for sale"]],
  ["reserved", ["a reservation exists"]],
  ["reserved", ["blocked"]],
  ["reserved", ["blocklist"]],
  ["reserved", ["GlobalBlock"]],
  ["reserved", ["Adult Block"]],
  ["reserved", ["Uni EPS"]],
  ["reserved", ["DPML"]],
  ["reserved", ["Brand Protection"]],
  ["reserved", ["Trademarks"]],
  ["reserved", ["forbidden"]],
  ["reserved", ["not allowed"]],
  ["reserved", ["not permitted"]],
  ["reserved", ["not eligible"]],
  ["reserved", ["Dropzone"]],
  ["reserved", ["Auctions"]],
  ["premium", ["This premium domain is available for purchase. Please write to us."]],
  ["premium", ["This platinum domain is available for purchase"]],
  ["reserved", ["This domain is currently available for registration in the Expiry Access Period"]],
  // A name is available at a premium price, so other words beside it may take that back.
  ["premium", ["Registry Premium, tier 3: USD 2,500.00 per year"]],
  ["premium", ["Premium price: €80 (renewal €80)"]],
  ["premium", [
    "This platinum domain is available for purchase. Please contact platinums@registry.example.",
  ]],
  ["premium", ["name.dev is a premium name"]],
  ["unread", ["This premium name can't be bought"]],
  ["unread", ["Premium name, kept by the registry operator for its own use"]],
  ["unread", ["Premium: no"]],
  ["unread", ["Premium 🚫"]],
  ["unread", ["Premium @registry says held"]],
  ["unread", ["name.dev not found", "Premium"]],
  ["premium", ["Premium"]],
  ["premium", ["Premium name. All rights reserved."]],
  ["unsupported", [
    "This name is not available for registration:",
    "Tld not supported by this registry interface",
  ]],
  // Unknown words.
  ["unread", ["Gesperrt durch die Registrierungsstelle"]],
  ["unread", ["保留"]],
  ["unread", ["name.dev not found", "Ce nom est réservé"]],
  ["unread", ["Premium", "Ce nom est réservé"]],
  ["unread", ["see our policy"]],
  ["unread", ["r\u0435served with a Cyrillic letter"]],
];

for (const [kind, description] of DESCRIPTIONS) {
  Deno.test(`readNotice() is ${kind} for the description ${JSON.stringify(description)}`, () => {
    const lines = [...USUAL.description, ...description];
    assertEquals(read({ ...USUAL, description: lines }).kind, kind);
  });
}

/** Other members of the 404. */
const PLACES: [Notice["kind"], Body][] = [
  ["unread", { errorCode: 404 }],
  ["unread", { lang: "en" }],
  ["reserved", { rdapConformance: ["reserved_name_0"] }],
  ["unread", { notices: [{ title: "Terms of Service", description: ["We reserve the right"] }] }],
  ["unread", { notices: [{ title: "Status Codes", description: ["premium, reserved"] }] }],
  ["unread", { title: "No match" }],
  ["unread", { comment: "All rights reserved" }],
  ["premium", { comment: ["Premium"] }],
  ["unread", { comment: ["Premium", "\u200b"] }],
  ["premium", { title: "Premium" }],
  ["premium", { price_tier: ["Premium"] }],
  ["unread", { withheldClass: "premium" }],
  ["unread", { kept: ["Premium", "Premium"] }],
  ["unread", { premium: true }],
  ["reserved", { title: "Reserved" }],
  ["reserved", { remarks: [{ title: "Remark", description: ["Registry Reserved"] }] }],
  ["reserved", { description: [["nested", ["Registry Reserved"]]] }],
  ["reserved", { status: ["reserved"] }],
  ["reserved", { notices: [{ title: "Blocked Domain", description: "by a service" }] }],
  ["reserved", {
    notices: [{ title: "Terms of Use", description: ["This name is reserved. Terms apply."] }],
  }],
  ["premium", { notices: [{ description: ["This premium domain is available for purchase."] }] }],
  ["unread", { notices: [{ description: ["See the policy"] }] }],
  ["unread", { notices: [{ title: "Terms", description: ["This name is kept by its owner"] }] }],
  ["unread", { available: "no" }],
  ["unread", { name: "error" }],
  ["unread", { held: true }],
  ["unread", { reason: null }],
  ["unread", { reserved: {} }],
  ["unread", { blocks: [] }],
  ["unread", { details: [{ errorCode: "DOMAIN_KEPT" }] }],
  ["unread", { kept: { value: true } }],
  ["unread", { reason: { type: "KEPT" } }],
  ["unread", { links: [{ href: "https://a.example/why" }] }],
  ["unread", { port43: "whois.a.example" }],
];

/** Sentences of legal text about the queried name, and about all names. */
const LEGAL: [Notice["kind"], string][] = [
  ["reserved", "The domain name has been reserved"],
  ["reserved", "This domain was blocked"],
  ["reserved", "The label cannot be registered"],
  ["reserved", "This string can not be sold"],
  ["reserved", "This name may not be registered"],
  ["reserved", "The name will not be sold"],
  ["reserved", "Reserved: name.dev"],
  ["unread", "Any name may be reserved"],
  ["unread", "Domain names that are reserved cannot be registered"],
];

for (const [kind, sentence] of LEGAL) {
  const description = [`Some terms apply. ${sentence}. See the website.`];
  PLACES.push([kind, { notices: [{ title: "Terms of Use", description }] }]);
}

for (const [kind, more] of PLACES) {
  Deno.test(`readNotice() is ${kind} for a 404 with ${JSON.stringify(more)}`, () => {
    assertEquals(read({ ...USUAL, ...more }).kind, kind);
  });
}

Deno.test("readNotice() is plain when the registry sends the same text for made-up names", () => {
  const odd = {
    title: "Nicht gefunden",
    remarks: [{ description: ["Reserved and premium names have other conditions"] }],
  };
  assertEquals(read(odd, { usual: odd }), { kind: "plain" });
  assertEquals(
    read({ ...odd, remarks: [{ description: ["Reserved"] }] }, { usual: odd }).kind,
    "reserved",
  );
});

Deno.test("readNotice() ignores words of the queried name", () => {
  for (const label of ["my-premium", "reserved", "blocked", "not-available"]) {
    const usual = { ...USUAL, description: [`${MADE_UP.domain} not found`] };
    for (const name of [`${label}.dev`, `${label.toUpperCase()}.DEV`]) {
      const description = [`${name} not found`];
      assertEquals(read({ ...USUAL, description }, { label, usual }).kind, "plain");
    }
  }
});

Deno.test("readNotice() quotes the registry when a name is reserved or the text is unknown", () => {
  assertEquals(read({ ...USUAL, description: ["Not Found", "Name.dev: Registry Reserved"] }), {
    kind: "reserved",
    words: "Not Found Name.dev: Registry Reserved",
  });
  assertEquals(read({ ...USUAL, title: "Reserved", comment: "Gesperrt" }), {
    kind: "reserved",
    words: "Reserved",
  });
  assertEquals(read({ ...USUAL, remarks: [{ title: "Gesperrt" }] }), {
    kind: "unread",
    words: "remarks.title: Gesperrt",
  });
});

Deno.test("readNotice() matches phrases but finds no plain 404 when no wording is known", () => {
  const said = collectStatements({ title: "Registry Reserved" }) ?? [];
  assertEquals(readNotice(said, { label: "name", domain: "name.dev" }).kind, "reserved");
});

Deno.test("readNotice() is unread for a 404 that lacks what the one for a made-up name has", () => {
  assertEquals(read({ title: "Not Found" }), {
    kind: "unread",
    words: "lacks: description: The object was not found in our database",
  });
  assertEquals(read({}, { usual: {} }).kind, "plain");
});

Deno.test("refusesAnyName() is true for words against the name in any place, not for general terms", () => {
  const asked = { label: MADE_UP.label, domain: MADE_UP.domain };
  const refuses = (more: Body) =>
    refusesAnyName(collectStatements({ ...USUAL, ...more }) ?? [], asked);
  const terms = (title: string, text: string) => ({ notices: [{ title, description: [text] }] });
  for (
    const more of [
      { remarks: [{ description: [`${MADE_UP.domain} is reserved by the registry`] }] },
      { status: ["reserved"] },
      { status: ["active"] },
      { reason: "not available for registration" },
      terms("Notice", "This name is not available for registration. The registry is closed."),
      terms("Terms of Use", "Terms apply. The domain is blocked."),
      terms("Name Blocked", "Blocked by GlobalBlock. Not available for registration."),
      terms("Reserved names", "See the website."),
      // Words of access stand for general terms only in a notice.
      { description: ["Object not found: access to this service is blocked"] },
    ]
  ) {
    assertEquals(refuses(more), true, JSON.stringify(more));
  }
  for (
    const more of [
      {},
      terms("Terms of Use", "Any name may be reserved, blocked or prohibited."),
      terms("Notice", "Access is restricted. Queries over the limit are blocked."),
      terms("Notice", "A request may be blocked. The service is restricted. A query is prohibited"),
      terms("Notice", "Requests may be blocked. Services are restricted. Data is reserved"),
      terms("Notice", "Use of the database is prohibited"),
    ]
  ) {
    assertEquals(refuses(more), false, JSON.stringify(more));
  }
});

Deno.test("readNotice() quotes what a 404 lacks only where it has nothing else", () => {
  assertEquals(read({ title: "Gesperrt" }), { kind: "unread", words: "Gesperrt" });
  const lacking = read({ title: "Not Found" });
  assertEquals(lacking, {
    kind: "unread",
    words: "lacks: description: The object was not found in our database",
  });
  const usual = { title: "Not Found", description: ["This premium name is available"] };
  assertEquals(read({ title: "Not Found" }, { usual }).kind, "unread", "no word of what it lacks");
  const reserved = { title: "Not Found", description: ["Or reserved by the registry"] };
  assertEquals(read({ title: "Not Found" }, { usual: reserved }).kind, "unread");
});

Deno.test("refusesAnyName() is true when the registry does not serve the TLD", () => {
  const said = collectStatements({ title: "This TLD is not supported by this registry" }) ?? [];
  assertEquals(readNotice(said, MADE_UP).kind, "unsupported");
  assertEquals(refusesAnyName(said, MADE_UP), true);
});
