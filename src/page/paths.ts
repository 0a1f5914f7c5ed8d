/** The paths of the page. */

/** The form's target in a browser without scripts; it checks names, so it is rate-limited. */
export const TABLE_PATH = "/search";

/** What the page loads before any search: TLDs, prices and registrars. */
export const TLD_OFFERS_PATH = "/tld-offers.json";

/** Every path of the page, as a router takes it. */
export type PagePath = "/" | `/static/:file${string}` | typeof TLD_OFFERS_PATH | typeof TABLE_PATH;

/** What browsers get at the path of the operation `accuracy`. */
export const ACCURACY_PATH = "/accuracy";
