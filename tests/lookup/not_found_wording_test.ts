import { assertEquals, assertMatch } from "@std/assert";
import type { HttpBehaviour } from "../lab/http_behaviour.ts";
import type { Lab } from "../lab/lab.ts";
import type { NameScript } from "../lab/names.ts";
import type { RdapScript } from "../lab/rdap_behaviours.ts";
import { testsOnLab } from "../support/on_lab.ts";
import { until } from "../support/until.ts";

const test = testsOnLab({ env: { TLDS: "online" } });

/** A well-formed 404 with these further members. */
function notFound(members: Record<string, unknown>): HttpBehaviour {
  return { kind: "json", status: 404, body: { errorCode: 404, title: "Not Found", ...members } };
}

/** A name that DNS does not show, and of which the registry says this. */
const denied = (rdap: RdapScript): NameScript => ({ dns: "nxdomain", rdap });

/** Names, the members of the 404 that the registry has for all names of the form, and whether it denies them. */
const FORMS: [
  label: string,
  words: (domain: string) => Record<string, unknown>,
  isFree: boolean,
][] = [
  ["one-two-three", () => ({ description: ["Zwei Striche"] }), false],
  ["1234567890123", () => ({ description: ["Frei", "Nur Ziffern"] }), false],
  ["a1", () => ({ description: [] }), false],
  ["route66", () => ({ description: ["Frei"], code: 7 }), false],
  ["x".repeat(27), () => ({ description: ["Zu lang"] }), false],
  ["xn--caf-dma", () => ({ description: ["Freigabe"] }), false],
  ["xn--d1aqf", (domain) => ({ description: [`Frei (${domain})`, domain] }), true],
];

test("other words for a form of names are no denial of names of the form, and of no other, unless all they add is the name", async ({ check, services, lab, clock }) => {
  const ofForm = /^xn--|[-\d].*\.|[a-z]{27}\./;
  for (const [label, words, isFree] of FORMS) {
    const reply = (domain: string) =>
      ofForm.test(domain) ? words(domain) : { description: ["Frei"] };
    lab.scriptUnscripted(denied((_, domain) => notFound(reply(domain))));
    await services.renewCanaries();
    clock.aheadMs += 60_000;
    lab.script("held.online", denied(notFound(words("held.online"))));
    for (const name of [label, "held"]) {
      const { state, error = "" } = await check(`${name}.online`);
      assertEquals(state, isFree ? "available" : "unknown", `${label}: ${name}`);
      if (!isFree) assertMatch(error, /message: "(?:Zwei|Zu|Nur|\[\]|code|Freigabe)/);
    }
  }
});

function randomNames(lab: Lab): number {
  return lab.requests.filter(({ path }) => /\/[a-z0-9]{12,24}\./.test(path)).length;
}

test("a registry that changes its wording is asked about one random name for all clients", async ({ check, services, lab }) => {
  await services.renewCanaries();
  assertEquals((await check("one.online")).state, "available");
  // The registry words every 404 like this from now on, also for a made-up name.
  lab.scriptUnscripted(denied(notFound({ title: "Nichts gefunden" })));
  lab.clear();
  const rows = await Promise.all(["two.online", "three.online", "four.online"].map(check));
  assertEquals(rows.map(({ state }) => state), ["available", "available", "available"]);
  assertEquals(randomNames(lab), 1);
  lab.clear();
  assertEquals((await check("five.online")).state, "available");
  assertEquals(randomNames(lab), 0, "the new wording is known by now");
});

test("unknown words cause a question a minute for each of two random names, are logged without the name, and counted by TLD", async ({ check, get, services, events, lab, clock }) => {
  // Radix's usual 404 in the lab, with another description.
  const rdapConformance = ["rdap_level_0"];
  const held = notFound({ description: ["zebra77.online ist gesperrt"], rdapConformance });
  for (const name of ["zebra77", "yak88", "xerus99"]) lab.script(name, denied(held));
  await services.renewCanaries();
  lab.clear();
  const { state, error } = await check("zebra77.online");
  assertEquals(state, "unknown");
  assertMatch(error ?? "", /"zebra77\.online ist gesperrt"/);
  assertEquals((await check("yak88.online")).state, "unknown");
  assertEquals(randomNames(lab), 2);
  clock.aheadMs += 60_000;
  assertEquals((await check("xerus99.online")).state, "unknown");
  assertEquals(randomNames(lab), 4);
  const { body } = await get("/health");
  assertEquals(body.unreadNotices, { online: 3 });
  const logged = events.filter(({ event }) => event === "rdap.unread_notice");
  // Without the words, which may hold the name.
  const fields = logged.map(({ tld, words }) => [tld, words]);
  assertEquals(fields, Array(3).fill(["online", undefined]));
});

test("words against every name, which a registry says since its test, fail it, and are no reason that is kept", async ({ check, services, lab }) => {
  await services.renewCanaries();
  assertEquals((await check("one.online")).state, "available");
  const description = ["The requested service is not available"];
  lab.scriptUnscripted(denied(notFound({ description })));
  assertEquals((await check("held.online")).state, "reserved");
  const isNot = async () => (await check("held.online")).state === "unknown";
  await until("what was said of a random name, too, is not kept", isNot, 1);
  const { error = "" } = await check("held.online");
  assertMatch(error, /reports a made-up name as not registrable/);
});
