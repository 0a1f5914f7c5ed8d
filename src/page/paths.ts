/** The paths of the page. */

/** Where a form sends a name when the browser runs no script; it checks names, so it counts as a request. */
export const TABLE_PATH = "/search";

/** What the page must know before any search: endings, prices and registrars. */
export const ENDINGS_PATH = "/endings.json";

/** Every path of the page, as a router takes it. */
export type PagePath = "/" | `/static/:file${string}` | typeof ENDINGS_PATH | typeof TABLE_PATH;
