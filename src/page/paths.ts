/** The paths of the page. */

/** The form's target in a browser without scripts; it checks names, so it is rate-limited. */
export const TABLE_PATH = "/search";

/** What the page loads before any search: TLDs, prices and registrars. */
export const TLD_OFFERS_PATH = "/tld-offers.json";

/** Every path of the page, as a route. */
export const PAGE_ROUTES: readonly string[] = ["/", "/static/:file", TLD_OFFERS_PATH, TABLE_PATH];

/** A file name without anything that a URL parser would resolve to another path, which may be rate-limited. */
const FILE = /^\/static\/[\w-]+(?:\.[\w-]+)*$/;

/** Whether the raw path is one of the page's own files: opening the page is not rate-limited. */
export function isPageFile(path: string): boolean {
  return path === "/" || path === TLD_OFFERS_PATH || FILE.test(path);
}
