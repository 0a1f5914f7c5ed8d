import { assertEquals, assertMatch } from "@std/assert";
import { runCli, runRemote } from "../support/cli.ts";
import { onChain } from "../support/on_lab.ts";

const test = (name: string, run: Parameters<typeof onChain>[0]) =>
  Deno.test(name, () => onChain(run, { env: { TLDS: "com,dev" } }));

test("check prints the owner or the price of an ENS name", async ({ services }) => {
  const args = ["sold.eth", "free-for-you.eth", "premium-day-10.eth", "grace.eth", "taken.com"];
  const { code, out } = await runCli(args, services);
  assertEquals(code, 0, out);
  const lines = [
    /^✗ Taken {6}sold\.eth +held by 0x[0-9a-fA-F]{40} · \d+ ms$/m,
    /^✓ Available {2}free-for-you\.eth +not registered · 0\.002 ETH ≈ \$5 a year · \d+ ms$/m,
    /^\$ Premium {4}premium-\S+ +not registered, premium falls daily until \d{4}-\d\d-\d\d · [\d,.]+ ETH ≈ \$[\d,.]+ for the first year/m,
    /^✗ Taken {6}grace\.eth +expired, in grace until \d{4}-\d\d-\d\d: held by 0x\w{40} · /m,
    /^✗ Taken {6}taken\.com +found in DNS/m,
  ];
  for (const line of lines) assertMatch(out, line);
});

test("check reads .eth names only when --tld includes eth", async ({ services, chain }) => {
  const all = await runCli(["sold", "--ndjson"], services);
  assertEquals([all.out.trimEnd().split("\n").length, chain.requests.length], [2, 0]);
  const { out } = await runCli(["sold", "--tld", "eth,com", "--sort=tld", "--ndjson"], services);
  const [com, eth] = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals([com.domain, com.available], ["sold.com", true]);
  const fields =
    "domain tld state name available owner resolver expiresAt graceEndsAt premiumEndsAt " +
    "premiumBelow responseMs source checkedAt";
  assertEquals(Object.keys(eth).toSorted(), fields.split(" ").toSorted());
  assertEquals([eth.domain, eth.state, eth.name], ["sold.eth", "taken", "sold.eth"]);
});

test("check reports an ENS name as unknown and exits 2 when the RPC fails, also with --url, which checks ENS names too", async ({ services, url, chain }) => {
  const sold = await runRemote(["sold", "--tld", "com,eth", "--url", url]);
  assertMatch(sold.out, /^✗ Taken {6}sold\.eth +held by 0x/m);
  await chain.setRpcBehaviour({ kind: "empty", status: 503 });
  const local = await runCli(["free.eth", "--json"], services);
  const [{ domain, tld, available, status, error }] = JSON.parse(local.out);
  assertEquals([domain, tld, available, status], ["free.eth", "eth", false, ["unknown"]]);
  assertMatch(error, /^Cannot check the name: /);
  const remote = await runRemote(["free.eth", "--url", url]);
  assertMatch(remote.out, /^\? Unknown {4}free\.eth +The service answered 500: The name/);
  assertEquals([sold.code, local.code, remote.code], [0, 2, 2]);
});
