import type { Hex } from "viem";
import compiled from "./contracts/compiled.json" with { type: "json" };

/** The contracts that ENS has not published compiled, in our own words: what each is created with. */
export const OUR_CONTRACTS = compiled as Readonly<Record<keyof typeof compiled, Hex>>;
