import { assertEquals } from "@std/assert";
import type { Notice } from "../../src/rules/answer.ts";
import { isStandingNotice, readNotices } from "../../src/rules/notices.ts";

const SAID: [Notice, string[]][] = [
  ["plain", ["Not Found", "name.dev not found"]],
  ["plain", ["Object not found", "Object not found"]],
  ["plain", []],
  ["plain", ["premium-blocked.dev not found"]],
  ["plain", ["reserved.dev not found"]],
  ["plain", ["All rights reserved.", "Copyright. All Rights Are Reserved"]],
  ["plain", ["We reserve the right to restrict or deny your access to the database."]],
  ["plain", [
    "The registry reserves all its rights; queries are throttled and may be blocked by rate-limited access",
  ]],
  ["plain", ["Use of this RDAP service is restricted to lawful purposes"]],
  ["reserved", ["This name is not available for registration:", "Registry Reserved"]],
  ["reserved", ["name.dev blocked by BSA"]],
  ["reserved", ["Blocked Domain", "This name has been blocked by a GlobalBlock service"]],
  ["reserved", ["This name is not available for registration."]],
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
  ["reserved", [
    "We reserve the right to say nothing. This premium name is reserved by the registry",
  ]],
  ["reserved", ["Reserved"]],
  ["reserved", ["Name reserved"]],
  ["reserved", ["Status: Reserved"]],
  ["reserved", ["Registry-Reserved"]],
  ["reserved", ["The string is permanently reserved"]],
  ["reserved", ["name.dev reserved"]],
  ["reserved", ["This is a restricted name"]],
  ["reserved", ["This name is not available\nfor registration"]],
  ["reserved", ["This name is not  available\u00a0for registration"]],
  ["reserved", ["This name is not available for registration, see the Terms of Service"]],
  ["reserved", ["This name is reserved in accordance with the terms of ICANN Policy."]],
  ["reserved", ["This name has been blocked by a service under the terms of its agreement"]],
  ["reserved", ["Domain reserved\nThe terms of use apply"]],
  ["reserved", ["Reason: Registry Reserved"]],
  ["reserved", ["name.dev: Registry Reserved - ICANN"]],
  ["reserved", ["Registry reserved, not for sale"]],
  ["reserved", ["domain is blocked by the registry\nsee our terms of service"]],
  ["reserved", ["domain is reserved by the registry\nsee our terms of service"]],
  ["reserved", ["brand protection\nsee terms and conditions"]],
  ["reserved", ["object not found\nregistry reserved"]],
  ["plain", ["The requested domain reserved.dev was not found"]],
  ["plain", ["All Rights\nReserved"]],
  ["plain", ["Copyright of the registry. All rights\nreserved."]],
  ["plain", ["Object not found\nAll Rights Reserved"]],
  ["premium", [
    "This premium domain is available for purchase. If you would like to make an offer, write to us.",
  ]],
  ["premium", ["This platinum domain is available for purchase"]],
  ["premium", ["This domain is currently available for registration in the Expiry Access Period"]],
  ["unsupported", [
    "This name is not available for registration:",
    "Tld not supported by this registry interface",
  ]],
];

for (const [notice, texts] of SAID) {
  Deno.test(`readNotices() reads ${notice} in ${JSON.stringify(texts.join(" | "))}`, () => {
    const domain = /(?<name>\S+\.dev) not found/.exec(texts.join(" "))?.groups?.name ?? "name.dev";
    assertEquals(readNotices(texts, domain), notice);
  });
}

Deno.test("readNotices() comes to an end with 250,000 empty lines, as with a few", () => {
  assertEquals(readNotices(["\n".repeat(250_000), " ".repeat(250_000)], "name.dev"), "plain");
});

Deno.test("isStandingNotice() knows legal texts by title or by link, and nothing else", () => {
  for (
    const title of [
      "Terms of Use",
      "RDAP Terms of Service",
      "Status Codes",
      "RDDS Inaccuracy Complaint Form",
    ]
  ) {
    assertEquals(isStandingNotice(title, []), true, title);
  }
  assertEquals(isStandingNotice("", ["self", "terms-of-service"]), true);
  assertEquals(isStandingNotice("Blocked Domain", ["self"]), false);
});
