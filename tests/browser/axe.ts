/// <reference lib="dom" />
import axe from "axe-core";
import type { Page } from "playwright-core";

/** The same page in the other scheme differs in its colours alone: the rules of WCAG AA that read them. */
export const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

/** The schemes and screens on which a page is examined. */
export const VARIANTS = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 1280, height: 800 },
  { colorScheme: "light", width: 390, height: 844 },
  { colorScheme: "dark", width: 390, height: 844 },
] as const;

/** The violations that axe finds on the page, one line each. Passes are not collected: that doubles the time. */
export async function violationsOn(page: Page, rules: { runOnly?: string[] }): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>("'axe' in globalThis");
  const found = await page.evaluate<axe.AxeResults>(
    `${isLoaded ? "" : axe.source}; axe.run(${
      JSON.stringify({ resultTypes: ["violations"], ...rules })
    })`,
  );
  return found.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`
  );
}
