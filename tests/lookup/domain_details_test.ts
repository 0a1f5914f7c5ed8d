import { assert, assertEquals, assertMatch } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import { ANSWER_MS } from "../../src/flow/cache/flight.ts";
import { pause } from "../../src/flow/deadline.ts";
import { createRegistryRecords } from "../../src/lookup/domain_details.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { json } from "../lab/registrars.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { FakeTime } from "../support/fake_time.ts";
import { NO_DETAILS } from "../support/answers.ts";
import { onChain, testsOnLab } from "../support/on_lab.ts";
import { ofJson, suffixesAt } from "../support/checks.ts";

const test = testsOnLab(({ lab }) => ({ env: { ANY_TLD: "on", ...whoisEnv(lab) } }));

test("/details asks the registry once for a taken name, and the record of a check answers it", async ({ get, check, lab }) => {
  const asked = (domain: string) =>
    lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length;
  const { body: first } = await get("/details?domain=taken.dev");
  assertEquals([first.state, first.expiresAt], ["taken", "2031-03-04T05:06:07.000Z"]);
  await get("/details?domain=TAKEN.dev");
  assertEquals((await check("undelegated.dev")).state, "taken");
  const { body } = await get("/details?domain=undelegated.dev");
  assertEquals([body.state, body.createdAt], ["taken", "2011-03-04T05:06:07.000Z"]);
  assertEquals([asked("taken.dev"), asked("undelegated.dev")], [1, 1]);
});

test("/details has the state alone of a name that is not taken, and the registry's fault of one that is", async ({ get, check }) => {
  const { body: free } = await get("/details?domain=free-for-you.dev");
  assertEquals([free.state, free.available, "status" in free], ["available", true, false]);
  const { body: failing } = await get("/details?domain=failing.org");
  const { state, likely, retryAfter } = await check("failing.org");
  assertEquals([failing.state, failing.likely, failing.retryAfter], [state, likely, retryAfter]);
  assertEquals([likely, retryAfter], ["available", 30]);
  assertMatch(failing.error, /429.*; the registry's WHOIS has no record, so probably available/);
});

test("/details says why a reserved name cannot be registered, as /check does, but quotes no registry, also where WHOIS adds to the error", async ({ url, get, check, lab }) => {
  const detailsOf = async (domain: string) => (await get(`/details?domain=${domain}`)).body;
  const deny = (domain: string, title: string, description: string) =>
    lab.script(domain, {
      dns: "nxdomain",
      rdap: json(404, { errorCode: 404, title, description: [description] }),
      whois: "limited",
    });
  // A rule's own sentence.
  const closed = await detailsOf("example.gov");
  assertEquals([closed.state, closed.error], ["reserved", undefined]);
  assertEquals(closed.reason, (await check("example.gov")).reason);
  deny("kept.dev", "Reserved for Jane Doe", "Name is reserved");
  assertMatch((await check("kept.dev")).reason ?? "", /^The registry says: ".*Jane Doe/);
  const reason = "The registry says that it cannot be registered";
  const kept = await detailsOf("kept.dev");
  assertEquals([kept.state, kept.reason, kept.error], ["reserved", reason, undefined]);
  const call = toolCall("get_domain_details", { domain: "kept.dev" });
  const { body } = await postMcp(`${url}/mcp/`, call);
  assertEquals(body.result.content[0].text, `kept.dev: reserved\nReserved: ${reason}`);
  // Words that nobody can read.
  for (const domain of ["odd.dev", "odd.org"]) {
    deny(domain, "Not Found", "held by Jane Doe");
    const { error } = await detailsOf(domain);
    assertMatch(error, /^The registry's "not found" has an unknown message/);
    assert(!error.includes("Jane Doe"), error);
  }
});

Deno.test("recordOf() waits as long as its client, and keeps the record that comes later", async () => {
  using time = new FakeTime(1e12);
  let asked = 0;
  const { recordOf } = createRegistryRecords({
    async ask() {
      asked++;
      await pause(20_000);
      return { kind: "registered", askedAt: Date.now(), details: NO_DETAILS };
    },
    askWhois: () => Promise.resolve(undefined),
    rowOf: suffixesAt("https://registry.example/").rowOf,
    retest: () => Promise.resolve(),
    background: createBackground(() => {}),
    now: Date.now,
  });
  const domain = { label: "any", tld: "com" };
  const first = recordOf(domain, ofJson());
  await time.tickAsync(ANSWER_MS + 1_000);
  const why = "The registry has not answered yet";
  assertEquals(await first, { kind: "failed", fault: "unasked", why });
  await time.tickAsync(5_000);
  assertEquals([(await recordOf(domain, ofJson()))?.kind, asked], ["registered", 1]);
});

Deno.test("/details of a .eth name has its expiry and the ends of grace and premium, or why it failed", () =>
  onChain(async ({ get, start }) => {
    const { body } = await get("/details?domain=alice.eth");
    assertEquals([body.domain, body.state], ["alice.eth", "taken"]);
    const days = (a: string, b: string) => (Date.parse(body[b]) - Date.parse(body[a])) / 86_400_000;
    const between = [days("expiresAt", "graceEndsAt"), days("graceEndsAt", "premiumEndsAt")];
    assertEquals(between, [90, 21]);
    const { body: free } = await get("/details?domain=freename.eth");
    assertEquals([free.state, "expiresAt" in free], ["available", false]);
    const broken = await start({ env: { ETH_RPC_URLS: "http://127.0.0.1:9" } });
    const { status, body: failed } = await broken.get("/details?domain=bare.eth");
    assertEquals([status, failed.state, failed.available], [200, "unknown", false]);
    assert(failed.error);
  }));
