/** The page: its files, and the same search answered with a table where no script runs. */
import { html } from "hono/html";
import { readTyped } from "../../static/typed.js";
import { check } from "../api/check.ts";
import { ApiError } from "../api/errors.ts";
import { createReadQuery } from "../api/operation.ts";
import type { RequestContext } from "../api/responses.ts";
import type { Services } from "../wiring/services.ts";
import { CACHING, dataResponse, fileResponse, htmlResponse } from "./documents.ts";
import { endingsOf } from "./endings.ts";
import { loadFiles } from "./files.ts";
import { ENDINGS_PATH, TABLE_PATH } from "./paths.ts";
import { domainRow, ethRow } from "./rows.ts";
import { createShell } from "./shell.ts";
import { type Html, tableOf } from "./table.ts";

/** What answers at the page's paths. */
export interface Page {
  /** Answers a request to a path of the page, by which it was routed. Throws `ApiError` where there is no such file. */
  answer(context: RequestContext, path: string, request: Request): Promise<Response>;
  /** Tells a person why there is no table. */
  refuse(
    context: RequestContext,
    error: ApiError,
    extra?: Readonly<Record<string, string>>,
  ): Response;
}

const FOLDER = new URL("../../static/", import.meta.url);
const INDEX = "index.html";

/** Opens the page. */
export async function openPage(services: Services): Promise<Page> {
  const files = await loadFiles(FOLDER);
  const index = files.get(INDEX);
  if (index === undefined) throw new Error(`Cannot serve the page: ${INDEX} is missing`);
  const shell = createShell(new TextDecoder().decode(index.plain));
  const readQuery = createReadQuery(check);

  async function tableFor(typed: string, request: Request): Promise<Html> {
    const meant = readTyped(typed);
    if (meant.kind === "refused") throw new ApiError("invalid_name", meant.why);
    const query = readQuery(meant.kind === "name" ? { name: [meant.name] } : {});
    const [{ results }, eth] = await Promise.all([
      check.run(query, services, request),
      ethRow(query.name, services),
    ]);
    const rows = await Promise.all(results.map((result) => domainRow(result, services)));
    return tableOf([...rows, eth]);
  }

  async function answerTable(context: RequestContext, request: Request): Promise<Response> {
    const typed = typedIn(request);
    try {
      const results = await tableFor(typed, request);
      return htmlResponse(context, shell.still(typed, results));
    } catch (error) {
      if (error instanceof ApiError) return refuse(context, error, {}, typed);
      throw error;
    }
  }

  function refuse(
    context: RequestContext,
    error: ApiError,
    extra: Readonly<Record<string, string>> = {},
    typed = "",
  ): Response {
    const why = html`<p class="trouble">${error.message}</p>`;
    return htmlResponse(context, shell.still(typed, why), { status: error.status, extra });
  }

  // By the path that was routed, and counted: a second reading of the URL might be another.
  async function answer(
    context: RequestContext,
    path: string,
    request: Request,
  ): Promise<Response> {
    if (path === TABLE_PATH) return await answerTable(context, request);
    if (path === ENDINGS_PATH) return dataResponse(context, await endingsOf(services));
    const typed = typedIn(request);
    if (path === "/" && typed !== "") {
      return htmlResponse(context, shell.live(typed), { extra: CACHING });
    }
    const file = path === "/" ? index : files.get(path.slice("/static/".length));
    if (file === undefined) throw new ApiError("not_found");
    return fileResponse(context, file, request);
  }

  return { answer, refuse };
}

function typedIn({ url }: Request): string {
  return new URL(url).searchParams.get("q") ?? "";
}
