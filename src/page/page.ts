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
import { domainOf, type Name, noticeOf, parseInput } from "../../static/parse_input.js";
import { readFilters } from "../../static/search_scope.js";
import { namedTlds, popularFirst } from "../../static/tld_offers.js";
import { readableBehind } from "../../static/unicode_label.js";
import { STATE_ENTRIES } from "../../static/vocabulary.js";
import { type AppContext, RequestWaiter, sendJson } from "../api/context.ts";
import { check } from "../api/check.ts";
import { details } from "../api/details.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import { operatorLine } from "../api/operator.ts";
import type { PulledBody } from "../api/bodies.ts";
import { rejectWith } from "../api/rate_limit.ts";
import type { Services } from "../wiring/services.ts";
import { loadFiles } from "./files.ts";
import { createFrame, tldItems } from "./frame.ts";
import { CACHING, sendFile, sendHtml } from "./page_responses.ts";
import { createShell, tableAddress } from "./shell.ts";
import { detailsTable, type Html, tableOf, type TableRow } from "./table.ts";
import { domainRow, ethRow } from "./table_rows.ts";
import { tldOffers } from "./tld_offers.ts";

const FOLDER = new URL("../../static/", import.meta.url);
const INDEX = "index.html";
/** As long as 200 of the longest domains; a longer text would cost every request for it more than an answer. */
const MAX_TYPED = 16_384;

/** Loads the page's files; returns the handlers of its paths. */
export async function openPage(services: Services, pulledBody: PulledBody) {
  const operator = operatorLine(services.operator);
  const footer = operator && `<footer class="quiet">${operator}</footer>`;
  // A function, because a replacement text expands `$&` and the like.
  const withFooter = (text: string) => text.replace("</main>", () => `</main>${footer}`);
  const offers = await tldOffers(services);
  const tldList = tldItems([...popularFirst(offers.tlds).map(({ tld }) => tld), "eth"]);
  const withTlds = (text: string) => text.replace(tldList[0], () => `${tldList[1]}`);
  const files = await loadFiles(FOLDER, (text) => withFooter(withTlds(text)));
  const index = files.find(INDEX)?.file;
  if (index === undefined) throw new Error(`Cannot serve the page: ${INDEX} is missing`);
  const shell = createShell(new TextDecoder().decode(index.plain));
  const frameOf = createFrame(new TextDecoder().decode(index.plain));
  const readQuery = createReadQuery(check);
  const readDetailsQuery = createReadQuery(details);

  async function tableFor(
    typed: string,
    named: readonly string[],
    waiter: Waiter,
  ): Promise<Html> {
    const parsed = parseInput(typed);
    switch (parsed.kind) {
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
    const query = readQuery(parsed.kind === "name" ? { name: [parsed.name] } : {});
    const { name } = query;
    const asked = parsed.kind === "name" ? parsed.tld : "";
    const usual = named.length > 0 ? [] : await services.tlds.enabled();
    const others = new Set([...(usual.includes(asked) ? [] : [asked]), ...named].filter(Boolean));
    if (named.length === 0) others.add("eth");
    const [rows, ...other] = await Promise.all([
      named.length > 0 ? [] : usualRows(query, waiter),
      ...[...others].map((tld) => rowUnder(name, tld, waiter)),
    ]);
    const all = [...rows, ...other];
    const first = `${name}.${asked}`;
    return tableOf(all.toSorted((a, b) => Number(b.name === first) - Number(a.name === first)));
  }

  async function detailsFor(domain: string, waiter: Waiter): Promise<Html> {
    const found = await details.run(readDetailsQuery({ domain: [domain] }), services, waiter);
    const state = STATE_ENTRIES[found.state].word;
    return detailsTable(found.domain, [["State", state], ...detailRows(found)]);
  }

  async function usualRows(query: ReturnType<typeof readQuery>, waiter: Waiter) {
    const { results } = await check.run(query, services, waiter);
    return await Promise.all(popularFirst(results).map((result) => domainRow(result, services)));
  }

  /** The row of a name under one TLD, which need not be one of those that each search has. */
  async function rowUnder(name: string, tld: string, waiter: Waiter): Promise<TableRow> {
    if (tld === "eth") return await ethRow(name, services);
    try {
      const query = readQuery({ name: [name], tld: [tld] });
      const { results: [result] } = await check.run(query, services, waiter);
      if (result === undefined) throw new ApiError("unsupported_tld");
      return await domainRow(result, services);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return {
        name: domainOf({ name, tld }),
        state: "unknown",
        evidence: [error.message],
        links: [],
      };
    }
  }

  function sendError(c: AppContext, error: ApiError): Promise<Response> {
    const note = html`<p class="error">${error.message}</p>`;
    return sendHtml(c, shell.withoutScripts(typedIn(c), namedIn(c), note), error);
  }

  return {
    async home(c: AppContext): Promise<Response> {
      const typed = typedIn(c);
      if (typed === "") return sendFile(c, index);
      const filters = readFilters(new URL(c.req.url).searchParams);
      const frame = frameOf(typed, filters, await tldOffers(services));
      return sendHtml(c, shell.withScripts(typed, namedTlds(filters.tlds), frame), {
        headers: CACHING,
      });
    },
    /** A file of `static/`. Throws an `ApiError` if there is none of that name. */
    file(c: AppContext): Response {
      const found = files.find(c.req.param("file") ?? "");
      if (found === undefined) throw new ApiError("not_found");
      return sendFile(c, found.file, found.isHashed);
    },
    // Its headers say what is left of the limit, which a copy in a browser's cache would not.
    tldOffers: async (c: AppContext) => sendJson(c, await tldOffers(services), CACHING, pulledBody),
    async search(c: AppContext): Promise<Response> {
      const typed = typedIn(c);
      try {
        const named = namedIn(c);
        const waiter = new RequestWaiter(c);
        const results = c.req.query("details") === "1"
          ? await detailsFor(typed, waiter)
          : await tableFor(typed, named, waiter);
        return sendHtml(c, shell.withoutScripts(typed, named, results));
      } catch (error) {
        if (error instanceof ApiError) return sendError(c, error);
        throw error;
      }
    },
    /** Rejects a search in HTML. */
    rejectSearch: rejectWith(sendError),
  };
}

/** Links to the searches of names. */
function choicesOf(title: string, names: readonly Name[], named: readonly string[]): Html {
  const links = names.map((name) =>
    html`
      <li>
        <a href="${tableAddress(domainOf(name), named)}"
        >${domainOf(name)}${readableBehind(name.name)}</a>
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
