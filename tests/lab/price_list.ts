import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";

/**
 * TLD, first year, renewal: what was published in autumn 2026 (`bot`: spring 2025), else invented, as is that of any
 * other built-in TLD.
 */
const PRICES = [
  ["com", "11.08", "11.08"],
  ["org", "7.98", "11.84"],
  ["app", "8.75", "14.93"],
  ["xyz", "2.04", "12.98"],
  ["ai", "82.70", "82.70"],
  ["bot", "45.00", "51.99"],
  ["net", "12.52", "12.52"],
  ["io", "28.12", "51.80"],
  ["dev", "10.81", "12.87"],
  ["biz", "6.90", "18.54"],
  ["cc", "8.03", "8.03"],
  ["cloud", "4.12", "21.10"],
  ["info", "4.34", "22.65"],
  ["me", "9.27", "17.51"],
  ["online", "1.85", "27.29"],
  ["site", "1.85", "27.29"],
  ["store", "1.85", "41.71"],
  ["tech", "5.66", "49.95"],
  ["museum", "1,024.00", "1,024.00"],
] as const;
/** So that the demo shows a TLD without a price. */
const UNPRICED = "tv";

/** A registrar's public price list, as its endpoint serves it: all prices are strings, in US dollars. */
export function priceList() {
  const pricing: Record<string, ReturnType<typeof prices>> = {};
  for (const { tld } of BUILT_IN_TLDS) {
    if (tld !== UNPRICED) pricing[tld] = prices("9.90", "12.90");
  }
  for (const [tld, registration, renewal] of PRICES) {
    pricing[tld] = prices(registration, renewal);
  }
  return { status: "SUCCESS", pricing };
}

function prices(registration: string, renewal: string) {
  return { registration, renewal, transfer: renewal };
}
