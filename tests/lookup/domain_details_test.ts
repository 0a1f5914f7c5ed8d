import { assert, assertEquals, assertMatch } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import { ANSWER_MS } from "../../src/flow/cache/flight.ts";
import { pause } from "../../src/flow/deadline.ts";
import { createRegistryRecords } from "../../src/lookup/domain_details.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { FakeTime } from "../support/fake_time.ts";
import { NO_DETAILS } from "../support/no_details.ts";
import { startService } from "../support/service.ts";
import { suffixesAt } from "../support/suffixes.ts";
import { withService } from "../support/with_service.ts";

Deno.test("/details asks the registry once for a taken name, and the record of a check answers it", () =>
  withService(async ({ get, check }, lab) => {
    const asked = (domain: string) =>
      lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length;
    const first = await get("/details?domain=taken.dev");
    assertEquals(first.body.state, "taken");
    assertEquals(first.body.expiresAt, "2031-03-04T05:06:07.000Z");
    const before = asked("taken.dev");
    await get("/details?domain=TAKEN.dev");
    assertEquals(asked("taken.dev"), before);
    assertEquals((await check("undelegated.dev")).state, "taken");
    const once = asked("undelegated.dev");
    const { body } = await get("/details?domain=undelegated.dev");
    assertEquals([body.state, body.createdAt], ["taken", "2011-03-04T05:06:07.000Z"]);
    assertEquals(asked("undelegated.dev"), once);
  }));

Deno.test("/details has the state alone of a name that is not taken, and the registry's fault of one that is", () =>
  withService(async ({ get, check }) => {
    const { body: free } = await get("/details?domain=free-for-you.dev");
    assertEquals([free.state, free.available, "status" in free], ["available", true, false]);
    const { body: failing } = await get("/details?domain=failing.org");
    const { state, likely, retryAfter } = await check("failing.org");
    assertEquals([failing.state, failing.likely, failing.retryAfter], [state, likely, retryAfter]);
    assertEquals([likely, retryAfter], ["available", 30]);
    assertMatch(failing.error, /429.*; the registry's WHOIS has no record, so probably available/);
  }, whoisEnv));

Deno.test("/details says why a reserved name cannot be registered, as /check does, but quotes no registry", () =>
  withService(async ({ url, get, check }, lab) => {
    const reasonOf = async (domain: string) => {
      const { body } = await get(`/details?domain=${domain}`);
      assertEquals([body.state, body.error], ["reserved", undefined], domain);
      return body.reason;
    };
    // A rule's own sentence.
    assertEquals(await reasonOf("example.gov"), (await check("example.gov")).reason);
    lab.script("kept.dev", {
      dns: "nxdomain",
      rdap: {
        kind: "json",
        status: 404,
        body: { errorCode: 404, title: "Reserved for Jane Doe", description: ["Name is reserved"] },
      },
    });
    assertMatch((await check("kept.dev")).reason ?? "", /^The registry says: ".*Jane Doe/);
    const reason = "The registry says that it cannot be registered";
    assertEquals(await reasonOf("kept.dev"), reason);
    const { body } = await postMcp(
      `${url}/mcp/`,
      toolCall("get_domain_details", { domain: "kept.dev" }),
    );
    assertEquals(body.result.content[0].text, `kept.dev: reserved\nreserved: ${reason}`);
  }, { ANY_TLD: "on" }));

Deno.test("/details quotes no words of a registry that nobody can read, also where WHOIS adds to the error", () =>
  withService(async ({ get }, lab) => {
    const body = { errorCode: 404, title: "Not Found", description: ["held by Jane Doe"] };
    for (const domain of ["odd.dev", "odd.org"]) {
      lab.script(domain, {
        dns: "nxdomain",
        rdap: { kind: "json", status: 404, body },
        whois: "limited",
      });
      const { error } = (await get(`/details?domain=${domain}`)).body;
      assertMatch(error, /^The registry's "not found" has an unknown message/);
      assert(!error.includes("Jane Doe"), error);
    }
  }, whoisEnv));

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
    background: createBackground(() => {}),
    now: Date.now,
  });
  const domain = { label: "any", tld: "com" };
  const waiter = () => {
    const { signal } = new AbortController();
    return { signal, answerBy: performance.now() + ANSWER_MS };
  };
  const first = recordOf(domain, waiter());
  await time.tickAsync(ANSWER_MS + 1_000);
  const why = "The registry has not answered yet";
  assertEquals(await first, { kind: "failed", fault: "unasked", why });
  await time.tickAsync(5_000);
  assertEquals([(await recordOf(domain, waiter()))?.kind, asked], ["registered", 1]);
});

Deno.test("/details rejects what is no domain", () =>
  withService(async ({ get }) => {
    for (
      const [query, error] of [
        ["", "missing_parameter"],
        ["domain=", "missing_parameter"],
        ["domain=example", "invalid_domain"],
        ["domain=a.eth", "invalid_domain"],
        ["domain=example.nosuchtld", "unsupported_tld"],
      ]
    ) {
      const { status, body } = await get(`/details?${query}`);
      assertEquals([status, body.error], [400, error], query);
    }
    const { body } = await get("/details");
    assertEquals(body.message, "Missing parameter: domain");
  }));

Deno.test("/details of a .eth name has its expiry and the ends of grace and premium, or why it failed", async () => {
  await using lab = await startLab();
  await using chain = await startChain();
  await using service = await startService(lab, { env: chain.env });
  const { body } = await service.get("/details?domain=alice.eth");
  assertEquals([body.domain, body.state], ["alice.eth", "taken"]);
  const days = (a: string, b: string) => (Date.parse(body[b]) - Date.parse(body[a])) / 86_400_000;
  assertEquals([days("expiresAt", "graceEndsAt"), days("graceEndsAt", "premiumEndsAt")], [90, 21]);
  const { body: free } = await service.get("/details?domain=freename.eth");
  assertEquals([free.state, "expiresAt" in free], ["available", false]);
  await using broken = await startService(lab, { env: { ETH_RPC_URLS: "http://127.0.0.1:9" } });
  const { status, body: failed } = await broken.get("/details?domain=alice.eth");
  assertEquals([status, failed.state, failed.available], [200, "unknown", false]);
  assert(failed.error);
});

Deno.test("/details says between which days a name could drop, by the phase that its record shows", () =>
  withService(async ({ get }) => {
    for (
      const [domain, phase] of [
        ["taken.dev", "registered"],
        ["redemption.org", "redemption"],
        ["pending-delete.dev", "pending_delete"],
      ]
    ) {
      const { body } = await get(`/details?domain=${domain}`);
      assertEquals([body.state, body.drop.phase], ["taken", phase], domain);
      assert(body.drop.earliest <= body.drop.latest);
    }
  }));
