import { assertEquals, assertMatch } from "@std/assert";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { runCli } from "../support/cli.ts";
import { startService } from "../support/service.ts";

/** Nothing is opened: a dry run needs no checker. */
const none = () => Promise.reject(new Error("the checker was opened"));

/** The domains that a command line would check. */
async function domainsOf(line: string, lists: Record<string, string> = {}): Promise<string[]> {
  const { out, code, err } = await runCli([...line.split(" "), "--dry-run"], none, { lists });
  assertEquals(code, 0, err);
  return out.trim().split("\n");
}

Deno.test("deno task check --prefix and --suffix try the name itself and each combination", async () => {
  assertEquals(await domainsOf("acme --tld com --prefix get,my --suffix hq"), [
    "acme.com",
    "acmehq.com",
    "getacme.com",
    "getacmehq.com",
    "myacme.com",
    "myacmehq.com",
  ]);
  assertEquals(await domainsOf("acme.co.uk --prefix get"), ["acme.co.uk", "getacme.co.uk"]);
  assertEquals(await domainsOf("café --tld com --suffix hq"), [
    "xn--caf-dma.com",
    "xn--cafhq-dsa.com",
  ]);
  assertEquals(await domainsOf("--file names --tld com --suffix hq", { names: "a\n# no\nb\n" }), [
    "a.com",
    "ahq.com",
    "b.com",
    "bhq.com",
  ]);
});

Deno.test("deno task check --limit bounds the names of lists", async () => {
  const names = Array.from({ length: 100 }, (_, n) => `name-${n}\n`).join("");
  assertEquals((await domainsOf("--file names --tld com,net --limit 3", { names })).length, 6);
});

Deno.test("deno task check --preset checks the TLDs of a group, and domains with their own", async () => {
  assertEquals(await domainsOf("acme x.org --preset popular"), [
    "acme.com",
    "acme.io",
    "acme.ai",
    "acme.dev",
    "acme.app",
    "x.org",
  ]);
  const country = await domainsOf("acme --preset country");
  assertEquals(country.every((domain) => /^acme\.\w\w$/.test(domain)), true);
  const generic = await domainsOf("acme --preset generic");
  assertEquals(country.length + generic.length, BUILT_IN_TLDS.length);
});

Deno.test("deno task check tries generated names under Radix's TLDs only with --tld, and says so", async () => {
  const { out, err } = await runCli(["acme", "--suffix", "hq", "--dry-run"], none);
  assertEquals(out.match(/\.(?:online|site|store|tech)$/gm)?.length, 4);
  assertEquals(out.includes("acmehq.online"), false);
  assertMatch(err, /not tried under \.online, \.site, \.store, \.tech: Radix suspends such names/);
  const named = await runCli(["acme", "--suffix", "hq", "--tld", "online", "--dry-run"], none);
  assertEquals([named.out, named.err], ["acme.online\nacmehq.online\n", ""]);
});

Deno.test("deno task check checks generated names like others", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "com,online" } });
  const args = ["taken", "--prefix", "free-", "--ndjson"];
  const { code, out, err } = await runCli(args, service.services);
  assertEquals(code, 0);
  const states = out.trim().split("\n").map((line) => JSON.parse(line))
    .map(({ domain, state }) => `${domain} ${state}`);
  assertEquals(states.toSorted(), [
    "free-taken.com available",
    "taken.com taken",
    "taken.online taken",
  ]);
  assertMatch(err, /not tried under \.online/);
});
