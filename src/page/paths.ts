/** The paths of the page. */

/** Where a form sends a name when the browser runs no script; it checks names, so it counts as a request. */
export const TABLE_PATH = "/search";

/** What the page must know before any search: endings, prices and registrars. */
export const ENDINGS_PATH = "/endings.json";

/** Every path of the page, as a router takes it. */
export const PAGE_ROUTES: readonly string[] = ["/", "/static/:file", ENDINGS_PATH, TABLE_PATH];

/** A file's name and nothing that a URL parser would make another path of: such paths cost what they lead to. */
const FILE = /^\/static\/[\w-]+(?:\.[\w-]+)*$/;

/** Whether the path, as it was sent, is one of the page's own files: to open the page costs nobody a request. */
export function isPageFile(path: string): boolean {
  return path === "/" || path === ENDINGS_PATH || FILE.test(path);
}
