import { assert, assertEquals } from "@std/assert";
import { createTypingRhythm } from "../../static/typing.js";

/** The waits after keys with these gaps between them. */
function waitsAfter(gaps: readonly number[]): { dns: number; rest: number } {
  const rhythm = createTypingRhythm();
  let at = 5_000;
  rhythm.press(at);
  for (const gap of gaps) rhythm.press(at += gap);
  return { dns: rhythm.waitFor("dns"), rest: rhythm.waitFor("rest") };
}

Deno.test("waitFor() is longer than the typist's usual gap, rest longer than dns, and both within bounds", () => {
  for (const gap of [60, 120, 250, 330]) {
    const { dns, rest } = waitsAfter(Array(6).fill(gap));
    assert(dns > gap && rest > dns, `${gap}: ${dns}, ${rest}`);
  }
  assertEquals(waitsAfter([5, 5, 5]), { dns: 100, rest: 350 });
  assertEquals(waitsAfter([950, 950]), { dns: 400, rest: 900 });
  // A guess before the first gap.
  assertEquals(createTypingRhythm().waitFor("dns"), waitsAfter([160]).dns);
});

Deno.test("waitFor() follows the last keys, and neither one slow key nor a rest changes it", () => {
  const even = waitsAfter(Array(8).fill(200));
  assertEquals(waitsAfter([...Array(8).fill(90), ...Array(8).fill(200)]), even);
  assertEquals(waitsAfter([200, 200, 900, 200, 200]), even);
  assertEquals(waitsAfter([200, 200, 60_000, 200]), even);
});
