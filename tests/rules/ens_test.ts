import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "fast-check";
import {
  decideEns,
  ensDates,
  ensLifetimeMs,
  harmlessText,
  isHeld,
  profileLifetimeMs,
  type Registration,
  type RegistrationPrice,
} from "../../src/rules/ens.ts";

const DAY = 86_400n;
const NOW = 2_000_000_000n;
const WRAPPER = "0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401";
const GRAVEYARD = "0x00000000000000000000000000000000Dead0000";
const CONTRACTS = { nameWrapper: WRAPPER, graveyard: GRAVEYARD };
const ALICE = "0x00000000000000000000000000000000000A11ce";
const BOB = "0x0000000000000000000000000000000000000B0b";
const BASE = 2_000_000_000_000_000n;

function registration(expires: bigint, more: Partial<Registration> = {}): Registration {
  return { expires, now: NOW, isOpen: true, price: { base: BASE, premium: 0n }, ...more };
}

const EXPIRIES: [string, bigint, boolean][] = [
  ["was never registered", 0n, false],
  ["ends this second", NOW, true],
  ["is in the last second of its grace", NOW - 90n * DAY, true],
  ["left its grace a second ago", NOW - 90n * DAY - 1n, false],
];

Deno.test("isHeld() and decideEns() hold a name to the end of its grace, and say until when it was registered", () => {
  for (const [state, expires, held] of EXPIRIES) {
    assertEquals(isHeld({ expires, now: NOW }), held, state);
    const verdict = decideEns("example", registration(expires), CONTRACTS);
    assertEquals(verdict.kind, held ? "taken" : "free", state);
    const end = "expires" in verdict ? verdict.expires : undefined;
    assertEquals(end, expires === 0n ? undefined : Number(expires), state);
  }
  assertEquals(isHeld({ expires: 0n, now: DAY }), false, "the chain's time begins");
});

Deno.test("decideEns() returns free only when registration is open, a price is known and the name has no owner", () => {
  const any = fc.record({
    expires: fc.bigInt({ min: 0n, max: 2n * NOW }),
    isOpen: fc.boolean(),
    priced: fc.boolean(),
  });
  fc.assert(fc.property(any, ({ expires, isOpen, priced }) => {
    const { price, ...rest } = registration(expires, { isOpen });
    const verdict = decideEns("example", { ...rest, ...(priced && { price }) }, CONTRACTS);
    const isFree = isOpen && priced && (expires === 0n || expires + 90n * DAY < NOW);
    assertEquals(verdict.kind === "free", isFree);
  }));
});

/** What the contracts say once they sell no more, or a name has moved, and the words of a failure. */
// deno-fmt-ignore -- one row a line
const MOVED: [string, Registration, kind: string, why?: RegExp][] = [
  ["closed, and the name was never registered", registration(0n, { isOpen: false }), "failed", /no longer/],
  ["without a price, and the name has no owner", unpriced(0n), "failed", /no price/],
  ["closed, and the name has an owner", registration(NOW, { isOpen: false }), "taken"],
  ["without a price, and the name has an owner", unpriced(NOW), "taken"],
  ["open, and the registrant is the graveyard", registration(NOW, { registrant: GRAVEYARD.toLowerCase(), manager: ALICE }), "failed", /moved to .* ENSv2/],
  ["closed, and the graveyard holds the name in grace", registration(NOW - DAY, { isOpen: false, manager: GRAVEYARD }), "failed", /moved to/],
];

Deno.test("decideEns() fails where the controller sells no more or the name has moved, and not for a name with an owner", () => {
  for (const [does, registration, kind, why] of MOVED) {
    const verdict = decideEns("example", registration, CONTRACTS);
    const found = [verdict.kind, why?.test("why" in verdict ? verdict.why : "")];
    assertEquals(found, [kind, why && true], does);
  }
  const held = registration(NOW, { registrant: GRAVEYARD });
  const verdict = decideEns("example", held, { nameWrapper: WRAPPER });
  assertEquals(verdict.kind === "taken" && verdict.owner, GRAVEYARD);
});

function unpriced(expires: bigint): Registration {
  const { price: _, ...rest } = registration(expires);
  return rest;
}

// deno-fmt-ignore -- one row a line
const PRICES: [string, { base: bigint; premium: bigint }, RegistrationPrice][] = [
  ["abc", { base: 256n * 10n ** 15n, premium: 0n }, { wei: "256000000000000000", eth: "0.256", usdEstimate: 640 }],
  ["abcd", { base: 10n ** 18n, premium: 0n }, { wei: "1000000000000000000", eth: "1", usdEstimate: 160 }],
  ["abcde", { base: 1n, premium: 0n }, { wei: "1", eth: "0.000000000000000001", usdEstimate: 5 }],
  ["released", { base: BASE, premium: 19_943n * 10n ** 18n }, { wei: "19943002000000000000000", eth: "19943.002", premiumWei: "19943000000000000000000", usdEstimate: 5, usdEstimateOf: "base" }],
];

Deno.test("decideEns() returns the exact price of a name", () => {
  for (const [label, price, expected] of PRICES) {
    const verdict = decideEns(label, registration(0n, { price }), CONTRACTS);
    assertEquals(verdict.kind === "free" && verdict.registrationPrice, expected, label);
  }
});

// deno-fmt-ignore -- one row a line
const HOLDERS: [string, Partial<Registration>, string | undefined][] = [
  ["the registrant", { registrant: ALICE, manager: BOB }, ALICE],
  ["the wrapped owner where the wrapper is the registrant", { registrant: WRAPPER, manager: WRAPPER, wrapped: BOB }, BOB],
  ["the manager in grace, when the registrar returns no owner", { manager: BOB }, BOB],
  ["the wrapped owner in grace", { manager: WRAPPER.toLowerCase(), wrapped: ALICE }, ALICE],
  ["undefined rather than the wrapper itself", { registrant: WRAPPER }, undefined],
  ["the registrant of a name that was unwrapped", { registrant: ALICE, wrapped: BOB }, ALICE],
];

Deno.test("decideEns() returns the owner", () => {
  for (const [what, holders, expected] of HOLDERS) {
    const held = registration(NOW, { ...holders, resolver: BOB });
    const owner = expected && { owner: expected };
    const taken = { kind: "taken", ...owner, resolver: BOB, expires: Number(NOW) } as const;
    assertEquals(decideEns("example", held, CONTRACTS), taken, what);
  }
});

Deno.test("ensLifetimeMs() and profileLifetimeMs() never cache failures, nor a held name beyond its grace period", () => {
  const checkedAt = new Date(Number(NOW) * 1_000).toISOString();
  const [grace, price] = [90n * DAY, { base: BASE, premium: 1n }];
  const verdicts = [
    registration(0n),
    registration(0n, { price }),
    registration(NOW - grace + 601n),
    registration(NOW - grace + 2n),
    registration(0n, { isOpen: false }),
  ].map((one) => ({ ...decideEns("example", one, CONTRACTS), checkedAt }));
  assertEquals(verdicts.map(ensLifetimeMs), [60_000, 15_000, 600_000, 2_000, 0]);
  const profiles = (["found", "notFound", "failed"] as const)
    .map((kind) => profileLifetimeMs({ kind, checkedAt, expires: Number(NOW - grace) + 2 }));
  assertEquals(profiles, [2_000, 60_000, 0]);
  const problems = ([undefined, "resolver", "gateway", "node"] as const)
    .map((problem) => profileLifetimeMs({ kind: "found", checkedAt, ...(problem && { problem }) }));
  assertEquals(problems, [600_000, 60_000, 0, 0]);
});

Deno.test("ensDates() has the ends of a registration, its grace period and its premium, until the last is over", () => {
  const expires = Date.UTC(2026, 0, 1) / 1_000;
  const dates = {
    expiresAt: "2026-01-01T00:00:00.000Z",
    graceEndsAt: "2026-04-01T00:00:00.000Z",
    premiumEndsAt: "2026-04-22T00:00:00.000Z",
    // 16.5, 19.4 and 20.7 days after the grace: 100 million halve daily, and 47.68 are taken off.
    premiumBelow: [
      { usd: 1_000, on: "2026-04-17" },
      { usd: 100, on: "2026-04-20" },
      { usd: 10, on: "2026-04-21" },
    ],
  };
  assertEquals(ensDates(expires, Date.UTC(2026, 3, 21)), dates);
  assertEquals(ensDates(expires, Date.UTC(2026, 3, 22)), {});
  const last = Date.UTC(9999, 0) / 1_000;
  assertEquals(ensDates(last, 0).expiresAt, "9999-01-01T00:00:00.000Z");
  for (const never of [undefined, last + 1, 1e18]) assertEquals(ensDates(never, 0), {});
});

Deno.test("harmlessText() keeps words of every script and emoji, drops control and bidi characters, joins lines, and cuts at 4 KiB, never within a character", () => {
  for (const text of ["", "plain", "Grüße, 世界", "שלום عليكم", "👩‍🚀🏳️‍🌈", "a\u00a0b"]) {
    assertEquals(harmlessText(text), text);
  }
  assertEquals(harmlessText("a\u0000b\u001b[31mc\u202Ed\u2066e\u200Ff\u009bg"), "ab[31mcdefg");
  assertEquals(harmlessText("one\r\ntwo\u2028three\tfour"), "one two three four");
  assertEquals(harmlessText("V\vVI\fVII\u0085VIII\u2029IX"), "V VI VII VIII IX");
  assertEquals(harmlessText("x".repeat(1_048_576)), "x".repeat(4_096));
  assertEquals(harmlessText("€".repeat(9_999)), "€".repeat(1_365));
  assertEquals(harmlessText("a" + "😀".repeat(9_999)), "a" + "😀".repeat(1_023));
  assertEquals(harmlessText(`${"\u0000".repeat(8_191)}ab`), "a", "8 KiB are searched, no more");
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 9_000 }), (text) => {
    const shown = harmlessText(text);
    assertNotMatch(shown, /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    assert(shown.isWellFormed());
    assert(new TextEncoder().encode(shown).length <= 4_096);
  }));
});
