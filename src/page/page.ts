/**
 * The page: its files, and the same search as a table for browsers without scripts.
 *
 * No framework, no build step (its modules are joined at the start), nothing inline and nothing from another origin, which
 * its content security policy enforces.
 * Files are served from memory, without their comments, and are not counted, so they must cost next to nothing. Prices and
 * registrar links reach the page in one file for a placeholder name, so that no row costs a request.
 */
import type { Waiter } from "../flow/cache/flight.ts";
import { html } from "hono/html";
import { detailRows } from "../../static/detail_rows.js";
import { domainView, unknownView } from "../../static/domain_view.js";
import { domainOf, type Name, noticeOf, parseInput } from "../../static/parse_input.js";
import { readFilters } from "../../static/search_scope.js";
import { namedTlds, popularFirst, type TldOffers } from "../../static/tld_offers.js";
import { readableBehind } from "../../static/unicode_label.js";
import { STATE_ENTRIES } from "../../static/vocabulary.js";
import { type AppContext, JSON_TYPE, RequestWaiter, send } from "../api/context.ts";
import { checkNames } from "../api/check_names.ts";
import { details } from "../api/details.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import { operatorLine } from "../api/operator.ts";
import { register } from "../api/register.ts";
import { quoteField } from "../api/tlds.ts";
import { hostPolicy, NEEDED_SERVERS } from "../rules/tables/hosts.ts";
import type { Services } from "../wiring/services.ts";
import { CACHING, loadFiles, sendFile, sendHtml } from "./files.ts";
import { createFrame, tldItems } from "./frame.ts";
import { fill, type Html, tableAddress, withoutScripts, withScripts } from "./shell.ts";
import { detailsTable, ethRow, tableOf, type TableRow } from "./table.ts";

const FOLDER = new URL("../../static/", import.meta.url);
/** As long as 200 of the longest domains; a longer text would cost every request for it more than an answer. */
const MAX_TYPED = 16_384;
/** As long as the names that a window shows. Of a longer text the page's script draws the rows: the page is not counted. */
const LONGEST_FRAMED = 512;
/** URL-encoding does not change it, however often an affiliate link applies it. */
const PLACEHOLDER = "the-name-goes-here.com";
/** A registry that needs more for each name is slow. */
const QUICK_MS = 250;

/** Loads the page's files; returns the handlers of its paths. */
export async function openPage(services: Services) {
  const operator = operatorLine(services.operator);
  const footer = operator && `<footer class="quiet">${operator}</footer>`;
  const offers = await tldOffers(services);
  const tldList = tldItems([...popularFirst(offers.tlds).map(({ tld }) => tld), "eth"]);
  const { html: template, index, find } = await loadFiles(
    FOLDER,
    (text) => fill(text, [["</main>", `</main>${footer}`], tldList]),
  );
  const frameOf = createFrame(template);
  const readDetailsQuery = createReadQuery(details);

  async function tableFor(
    typed: string,
    named: readonly string[],
    waiter: Waiter,
  ): Promise<Html> {
    const parsed = parseInput(typed);
    switch (parsed.kind) {
      case "empty":
        throw new ApiError("missing_parameter");
      case "invalid":
        throw new ApiError("invalid_name", parsed.message);
      case "choice":
        return choicesOf(noticeOf(parsed), parsed.options, named);
      // Each name costs a request, and this one has been counted once.
      case "names":
        return choicesOf("Without scripts one name is checked at a time:", [
          ...parsed.joined,
          ...parsed.names,
        ], named);
    }
    const { name, tld: asked } = parsed;
    const enabled = named.length > 0 ? [] : await services.tlds.enabled();
    const tlds = popularFirst(enabled.map((tld) => ({ tld }))).map(({ tld }) => tld);
    const others = new Set([asked, ...named].filter((tld) => tld !== "" && !tlds.includes(tld)));
    const hasEth = others.delete("eth") || named.length === 0;
    // A TLD of the user's may be none: a domain is refused by itself.
    const domains = [...others].map((tld) => domainOf({ name, tld }));
    const [offers, eth, ...answers] = await Promise.all([
      tldOffers(services),
      hasEth ? ethRow(name, services) : undefined,
      checkNames.run({ names: [name], tlds }, services, waiter),
      // One name under several TLDs is no list.
      ...domains.map((domain) => checkNames.run({ names: [domain] }, services, waiter)),
    ]);
    const rows = answers.flatMap(({ results }) => results).map((result): TableRow =>
      "domain" in result
        ? { name: result.domain, view: domainView(result, offers) }
        : { name: result.input, view: unknownView(result.message) }
    );
    const first = `${name}.${asked}`;
    return tableOf(
      [...rows, ...(eth ? [eth] : [])].toSorted((a, b) =>
        Number(b.name === first) - Number(a.name === first)
      ),
      services.now(),
    );
  }

  async function detailsFor(domain: string, waiter: Waiter): Promise<Html> {
    const found = await details.run(readDetailsQuery({ domain: [domain] }), services, waiter);
    const state = STATE_ENTRIES[found.state].word;
    return detailsTable(found.domain, [["State", state], ...detailRows(found)]);
  }

  function sendError(c: AppContext, error: ApiError): Response {
    const note = html`<p class="error">${error.message}</p>`;
    const parts = { typed: typedIn(c), named: namedIn(c), results: note };
    return sendHtml(c, withoutScripts(template, parts), error);
  }

  return {
    async home(c: AppContext): Promise<Response> {
      const typed = typedIn(c);
      if (typed === "") return sendFile(c, index);
      const filters = readFilters(new URL(c.req.url).searchParams);
      const offers = await tldOffers(services);
      const frame = typed.length > LONGEST_FRAMED ? [] : frameOf(typed, filters, offers);
      const parts = { typed, named: namedTlds(filters.tlds), frame };
      return sendHtml(c, withScripts(template, parts), { headers: CACHING });
    },
    /** A file of `static/`. Throws an `ApiError` if there is none of that name. */
    file(c: AppContext): Response {
      const found = find(c.req.param("file") ?? "");
      if (found === undefined) throw new ApiError("not_found");
      return sendFile(c, found.file, found.isHashed);
    },
    // Its headers say what is left of the limit, which a copy in a browser's cache would not.
    tldOffers: async (c: AppContext) =>
      send(c, JSON.stringify(await tldOffers(services)), { ...JSON_TYPE, ...CACHING }),
    async search(c: AppContext): Promise<Response> {
      const typed = typedIn(c);
      try {
        const named = namedIn(c);
        const waiter = new RequestWaiter(c);
        const results = c.req.query("details") === "1"
          ? await detailsFor(typed, waiter)
          : await tableFor(typed, named, waiter);
        return sendHtml(c, withoutScripts(template, { typed, named, results }));
      } catch (error) {
        if (error instanceof ApiError) return sendError(c, error);
        throw error;
      }
    },
    /** Rejects a search in HTML. */
    rejectSearch: sendError,
  };
}

/** Links to the searches of names. */
function choicesOf(title: string, names: readonly Name[], named: readonly string[]): Html {
  const links = names.map((name) =>
    html`
      <li>
        <a href="${tableAddress(domainOf(name), named)}"
        >${domainOf(name)}${readableBehind(domainOf(name))}</a>
      </li>
    `
  );
  return html`
    <p class="counts quiet">${title}</p>
    <ul class="chips">${links}</ul>
  `;
}

/** The TLDs that the user named, in the link or in the form. */
function namedIn(c: AppContext): readonly string[] {
  return namedTlds(readFilters(new URL(c.req.url).searchParams).tlds);
}

function typedIn(c: AppContext): string {
  const typed = c.req.query("q") ?? "";
  if (typed.length <= MAX_TYPED) return typed;
  // A name that is cut would be another one.
  const ends = [" ", ",", "\n"].map((sign) => typed.lastIndexOf(sign, MAX_TYPED));
  return typed.slice(0, Math.max(0, ...ends));
}

/**
 * Collects what the page loads once, before any search, so that prices and links need no request per row: of each TLD the prices
 * that `/tlds` has, and the links that `/register` returns.
 */
async function tldOffers(services: Services): Promise<TldOffers> {
  const [rows, prices, { registrars }] = await Promise.all([
    services.tlds.fresh(),
    services.prices(),
    register.run({ domain: { domain: PLACEHOLDER, tld: "com" } }, services),
  ]);
  return {
    tlds: rows.map(({ tld, rdapBase }) => ({
      tld,
      // The WHOIS servers that are needed are slow.
      isQuick: !NEEDED_SERVERS.has(tld) && hostPolicy(new URL(rdapBase).host).everyMs <= QUICK_MS,
      ...quoteField(tld, prices),
    })),
    registrars: registrars.map(({ name, url }) => ({ name, url })),
    placeholder: PLACEHOLDER,
  };
}
