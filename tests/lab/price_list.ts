/**
 * TLD, first year, renewal: what was published in autumn 2026 (`bot`: spring 2025), else invented. `tv` is missing, so that
 * the demo shows a TLD without a price.
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

/** A registrar's public price list, as its endpoint serves it: all prices are strings, in US dollars. */
export function priceList() {
  const rows = PRICES.map(([tld, registration, renewal]) =>
    [tld, { registration, renewal, transfer: renewal }] as const
  );
  return { status: "SUCCESS", pricing: Object.fromEntries(rows) };
}
