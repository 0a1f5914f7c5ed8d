import { assertEquals, assertStringIncludes } from "@std/assert";
import { type RdapBehaviour, rdapBehaviours } from "./rdap_behaviours.ts";
import { type Registry, registryOf } from "./registries.ts";

const ORG = registryOf("org") as Registry;

const PHRASES: readonly [RdapBehaviour, string][] = [
  ["reserved", "Registry Reserved"],
  ["unsupportedTld", "not supported by this registry"],
  ["blockedBsa", "x.org blocked by BSA"],
  ["globalblock", "GlobalBlock"],
  ["dropzone", "Dropzone"],
  ["dpml", "DPML"],
  ["restricted", "restricted"],
  ["premium", "premium domain"],
  ["platinum", "platinum domain"],
  ["expiryAccessPeriod", "Expiry Access Period"],
  ["tosTrap", "All rights reserved"],
  ["tosTrap", "reserve the right"],
  ["tosTrap", "RESERVED-Internet Assigned Numbers Authority"],
];
for (const [behaviour, phrase] of PHRASES) {
  Deno.test(`rdapBehaviours word a 404: ${behaviour}, ${phrase}`, () => {
    const { status, body } = replyOf(behaviour);
    assertEquals(status, 404);
    assertStringIncludes(JSON.stringify(body), phrase);
  });
}

const STATUSES: readonly [number, readonly RdapBehaviour[]][] = [
  [200, ["registered", "registeredNoStatus", "registeredUndelegated", "pendingDelete"]],
  [200, ["redemption", "serverHold", "html200", "empty200", "badJson200"]],
  [200, ["wrongName200", "wrongClass200", "notFound200"]],
  [302, ["redirectOffHost", "redirectSameHost", "redirectLoop"]],
  [302, ["redirectOtherName", "redirectUserinfo"]],
  [400, ["badRequest400"]],
  [403, ["forbidden403"]],
  [404, ["free", "html404", "empty404", "badJson404", "wrongErrorCode"]],
  [429, ["rateLimited", "rateLimitedSeconds", "rateLimitedDate"]],
  [500, ["error500"]],
  [503, ["unavailable503"]],
];
for (const [status, behaviours] of STATUSES) {
  Deno.test(`rdapBehaviours with status ${status}: ${behaviours.join(", ")}`, () => {
    assertEquals(behaviours.map((behaviour) => replyOf(behaviour).status), [
      ...behaviours.map(() => status),
    ]);
  });
}

Deno.test("rdapBehaviours that contradict themselves do so at one point only", () => {
  const bodies = [
    replyOf("wrongErrorCode").body.errorCode,
    replyOf("wrongName200").body.ldhName,
    replyOf("wrongClass200").body.objectClassName,
    replyOf("wrongClass200").body.ldhName,
    replyOf("notFound200").body.errorCode,
  ];
  assertEquals(bodies, [400, "not-x.org", "entity", "x.org", 404]);
});

// deno-lint-ignore no-explicit-any -- a test looks into replies of every shape
function replyOf(behaviour: RdapBehaviour): any {
  return rdapBehaviours[behaviour](ORG, "x.org");
}
