/** The page: its files, and the same search as a table for browsers without scripts. */
import type { Waiter } from "../flow/flight.ts";
import { html } from "hono/html";
import { domainOf, type Name, parseInput } from "../../static/parse_input.js";
import { popularFirst } from "../../static/tld_offers.js";
import { toULabel } from "../../static/unicode_label.js";
import { accuracy } from "../api/accuracy.ts";
import { check } from "../api/check.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { RequestContext } from "../api/responses.ts";
import type { Services } from "../wiring/services.ts";
import { accuracyPage } from "./accuracy_page.ts";
import { loadFiles } from "./files.ts";
import { CACHING, dataResponse, fileResponse, htmlResponse } from "./page_responses.ts";
import { ACCURACY_PATH, TABLE_PATH, TLD_OFFERS_PATH } from "./paths.ts";
import { createShell } from "./shell.ts";
import { type Html, tableOf } from "./table.ts";
import { domainRow, ethRow } from "./table_rows.ts";
import { tldOffers } from "./tld_offers.ts";

/** Handles the page's paths. */
export interface Page {
  /** Handles a request that was routed by `path`. Throws `ApiError` if there is no such file. */
  answer(context: RequestContext, path: string, request: Request): Promise<Response>;
  /** Renders an error for a person. */
  renderError(
    context: RequestContext,
    error: ApiError,
    extra?: Readonly<Record<string, string>>,
  ): Response;
}

const FOLDER = new URL("../../static/", import.meta.url);
const INDEX = "index.html";
/** As long as 200 of the longest domains; a longer text would cost every request for it more than an answer. */
const MAX_TYPED = 16_384;

/** Loads the page's files. */
export async function openPage(services: Services): Promise<Page> {
  const files = await loadFiles(FOLDER);
  const index = files.get(INDEX);
  if (index === undefined) throw new Error(`Cannot serve the page: ${INDEX} is missing`);
  const shell = createShell(new TextDecoder().decode(index.plain));
  const readQuery = createReadQuery(check);

  async function tableFor(
    typed: string,
    waiter: Waiter,
  ): Promise<Html> {
    const parsed = parseInput(typed);
    switch (parsed.kind) {
      case "invalid":
        throw new ApiError("invalid_name", parsed.message);
      case "choice":
        return choicesOf(`For “${parsed.typed}” check:`, parsed.options);
      // Each name costs a request, and this one has been counted once.
      case "names":
        return choicesOf("Without scripts one name is checked at a time:", [
          ...parsed.joined,
          ...parsed.names,
        ]);
    }
    const query = readQuery(parsed.kind === "name" ? { name: [parsed.name] } : {});
    const [{ results }, eth] = await Promise.all([
      check.run(query, services, waiter),
      ethRow(query.name, services),
    ]);
    const rows = await Promise.all(
      popularFirst(results).map((result) => domainRow(result, services)),
    );
    return tableOf([...rows, eth]);
  }

  async function answerTable(context: RequestContext, request: Request): Promise<Response> {
    const typed = typedIn(request);
    try {
      const { signal } = request;
      const results = await tableFor(typed, { signal, client: context.client });
      return htmlResponse(context, shell.withoutScripts(typed, results));
    } catch (error) {
      if (error instanceof ApiError) return renderError(context, error, {}, typed);
      throw error;
    }
  }

  function renderError(
    context: RequestContext,
    error: ApiError,
    extra: Readonly<Record<string, string>> = {},
    typed = "",
  ): Response {
    const note = html`<p class="error">${error.message}</p>`;
    return htmlResponse(context, shell.withoutScripts(typed, note), {
      status: error.status,
      extra,
    });
  }

  // Uses the path that was routed and rate-limited: parsing the URL again might give another.
  async function answer(
    context: RequestContext,
    path: string,
    request: Request,
  ): Promise<Response> {
    if (path === TABLE_PATH) return await answerTable(context, request);
    if (path === TLD_OFFERS_PATH) return dataResponse(context, await tldOffers(services), request);
    if (path === ACCURACY_PATH) {
      return htmlResponse(context, accuracyPage(await accuracy.run({}, services)), {
        extra: { vary: "Accept" },
      });
    }
    const typed = typedIn(request);
    if (path === "/" && typed !== "") {
      return htmlResponse(context, shell.withScripts(typed), { extra: CACHING });
    }
    const file = path === "/" ? index : files.get(path.slice("/static/".length));
    if (file === undefined) throw new ApiError("not_found");
    return fileResponse(context, file, request);
  }

  return { answer, renderError };
}

/** Links to the searches of names. */
function choicesOf(title: string, names: readonly Name[]): Html {
  const links = names.map((name) => {
    const readable = toULabel(name.name);
    const query = new URLSearchParams({ q: domainOf(name) });
    return html`
      <li>
        <a href="${TABLE_PATH}?${query}"
        >${domainOf(name)}${readable === undefined ? "" : ` (${readable})`}</a>
      </li>
    `;
  });
  return html`
    <p class="counts quiet">${title}</p>
    <ul class="chips">${links}</ul>
  `;
}

function typedIn({ url }: Request): string {
  return new URL(url).searchParams.get("q")?.slice(0, MAX_TYPED) ?? "";
}
