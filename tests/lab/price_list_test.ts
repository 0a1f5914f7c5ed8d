import { assert, assertEquals } from "@std/assert";
import { priceList } from "./price_list.ts";

Deno.test("priceList() has strings for prices, of the six TLDs and more", () => {
  const { pricing } = priceList();
  const ours = ["com", "org", "app", "xyz", "ai", "bot"];
  assertEquals(ours.map((tld) => typeof pricing[tld]?.registration), Array(6).fill("string"));
  assert(Object.keys(pricing).length > ours.length);
});

Deno.test("priceList() has an entry that is no domain of the DNS", () => {
  const handshake = Object.entries(priceList().pricing).filter(([, { specialType }]) =>
    specialType === "handshake"
  );
  assertEquals(handshake.map(([tld]) => tld), ["wallet"]);
});
