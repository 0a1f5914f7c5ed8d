import { assert, assertEquals, assertMatch } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { rdapBehaviours } from "./rdap_behaviours.ts";
import { invalidNameReply, rateLimitedReply } from "./registry_replies.ts";
import { REGISTRIES, type Registry, registryOf } from "./registries.ts";
import type { HttpBehaviour } from "./http_behaviour.ts";

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

Deno.test("REGISTRIES serve each built-in TLD from one base with a slash at its end", () => {
  for (const tld of TLDS) {
    const serving = REGISTRIES.filter(({ bases }) => tld in bases);
    assertEquals([tld, serving.length], [tld, 1]);
    assertMatch(serving[0]?.bases[tld] ?? "", /^\/(.*\/)?$/);
  }
});

Deno.test("REGISTRIES have one row for each host", () => {
  assertEquals(new Set(REGISTRIES.map(({ host }) => host)).size, REGISTRIES.length);
});

for (const tld of TLDS) {
  const registry = registryOf(tld) as Registry;
  const domain = `taken.${tld}`;

  Deno.test(`registeredReply() is a domain object of the name: ${tld}`, () => {
    const { ldhName, objectClassName } = json(rdapBehaviours.registered(registry, domain));
    assertEquals(objectClassName, "domain");
    assertEquals(ldhName.toLowerCase(), domain);
  });

  Deno.test(`notFoundReply() is 404 in its body too, unless Verisign sends it: ${tld}`, () => {
    const reply = rdapBehaviours.free(registry, domain);
    if (registry.host.endsWith("verisign.com")) {
      assertEquals(reply, { kind: "empty", status: 404, contentType: "application/rdap+json" });
    } else {
      assertEquals(`${json(reply).errorCode}`, "404");
    }
  });

  Deno.test(`markedNotFoundReply() is JSON at each registry: ${tld}`, () => {
    const body = json(rdapBehaviours.reserved(registry, domain));
    assertEquals(body.description.at(-1), "Registry Reserved");
    assertEquals(`${body.errorCode}`, "404");
  });
}

Deno.test("registeredReply() accepts other status words, or none", () => {
  const org = registryOf("org") as Registry;
  const verisign = registryOf("com") as Registry;
  assertEquals(json(rdapBehaviours.redemption(org, "x.org")).status, [
    "pending delete",
    "redemption period",
  ]);
  assert(!("status" in json(rdapBehaviours.registeredNoStatus(org, "x.org"))));
  assert(!("status" in json(rdapBehaviours.registered(verisign, "x.com"))));
});

Deno.test("invalidNameReply() is 400, or the 404 of a registry that does not validate", () => {
  const statuses = ["org", "app", "com", "xyz"].map((tld) => {
    const reply = invalidNameReply(registryOf(tld) as Registry, `-.${tld}`);
    return "status" in reply && reply.status;
  });
  assertEquals(statuses, [400, 400, 404, 404]);
});

Deno.test("rateLimitedReply() has the registry's form of Retry-After", () => {
  const [none, seconds, date] = ["com", "ai", "xyz"].map((tld) => {
    const reply = rateLimitedReply(registryOf(tld) as Registry);
    return reply.kind === "json" ? reply.headers?.["retry-after"] : "not JSON";
  });
  assertEquals([none, seconds], [undefined, "30"]);
  assertMatch(date ?? "", /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
});

// deno-lint-ignore no-explicit-any -- a test looks into bodies of every shape
function json(reply: HttpBehaviour): any {
  assert(reply.kind === "json");
  return reply.body;
}
