import { assertEquals } from "@std/assert";
import { createShares } from "../../src/flow/shares.ts";

function sharesAt() {
  const clock = { now: 0 };
  const shares = createShares({ burst: 4, everyMs: 1_000 }, { monotonic: () => clock.now });
  return { clock, shares };
}

Deno.test("shares.left() falls with each start, and fills with every tenth start of the pace", () => {
  const { clock, shares } = sharesAt();
  assertEquals(shares.left("a"), 4);
  for (let n = 0; n < 6; n++) shares.spend("a");
  assertEquals([shares.left("a"), shares.left("b")], [0, 4]);
  clock.now = 10_000;
  assertEquals(shares.left("a"), 1);
  clock.now = 50_000;
  assertEquals(shares.left("a"), 4);
});

Deno.test("shares.left() fills with the client's part of the pace where more than ten are served", () => {
  const { clock, shares } = sharesAt();
  for (let n = 0; n < 20; n++) shares.spend(`client ${n}`);
  clock.now = 20_000;
  assertEquals(shares.left("client 0"), 4);
  shares.spend("client 0");
  shares.spend("client 0");
  clock.now = 30_000;
  assertEquals(shares.left("client 0"), 2.5);
});

Deno.test("shares.hasOthers() counts the clients of the last minute, and no task without a client", () => {
  const { clock, shares } = sharesAt();
  shares.spend("");
  assertEquals([shares.left(""), shares.hasOthers("a")], [4, false]);
  shares.spend("a");
  assertEquals([shares.hasOthers("a"), shares.hasOthers("b")], [false, true]);
  shares.spend("b");
  assertEquals(shares.hasOthers("a"), true);
  clock.now = 60_000;
  assertEquals([shares.hasOthers("a"), shares.left("a")], [false, 4]);
});
