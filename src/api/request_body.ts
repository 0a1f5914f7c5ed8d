/** Reads request bodies, limited in size, in time and in how many are read at once. */

import type { Sender } from "./app_env.ts";

/** The text of a body, or why it was not read. */
export type BodyReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: BodyFault };

/** Why a body was not read; `busy`: too many are being read, of all clients, of its site or of its client. */
export type BodyFault = "tooLarge" | "late" | "busy" | "broken";

/** Reads the body of a request. Never rejects. */
type ReadBody = (request: Request, sender: Sender) => Promise<BodyReading>;

/** The limits of a process. A body that is being read takes about 200 KB (Deno 2.9.6), however little has arrived. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in ms. */
  readonly deadlineMs: number;
  /** Bodies at once, of all clients. */
  readonly atOnce: number;
  /** Bodies at once of one client. */
  readonly perClient: number;
}

/** The limits of each path that takes bodies. */
export const BODY_LIMITS: BodyLimits = {
  // Enough for any call, many times over.
  maxBytes: 65_536,
  deadlineMs: 5_000,
  atOnce: 256,
  // A body that arrives whole is read in a millisecond, so a client may well send this many at the same time.
  perClient: 32,
};

/** How long a client should wait if too many bodies are being read. */
export const BUSY_SECONDS = 1;

/** A body that is being read. */
interface OpenBody {
  readonly client: string;
  /** Ends the reading. */
  drop(): void;
}

/**
 * Creates the reader. Where all places are taken, the oldest body of the site with the most of them makes room, unless that
 * is the sender's own: a network with many addresses would otherwise take every place.
 */
export function createBodyReader(
  { maxBytes, deadlineMs, atOnce, perClient }: BodyLimits = BODY_LIMITS,
): ReadBody {
  /** By site, the oldest first: a `Set` iterates in order of insertion. */
  const open = new Map<string, Set<OpenBody>>();
  let total = 0;

  function busiestSite(): string | undefined {
    let busiest: string | undefined;
    for (const [site, bodies] of open) {
      if (bodies.size > (open.get(busiest ?? "")?.size ?? 0)) busiest = site;
    }
    return busiest;
  }

  function makeRoom(site: string): boolean {
    if (total < atOnce) return true;
    const busiest = open.get(busiestSite() ?? "");
    if (busiest === undefined || busiest.size <= (open.get(site)?.size ?? 0)) return false;
    const [oldest] = busiest;
    oldest?.drop();
    return oldest !== undefined;
  }

  return async (request, { client, site }) => {
    if (Number(request.headers.get("content-length")) > maxBytes) return refused("tooLarge");
    if (request.body === null) return { kind: "text", text: "" };
    const own = [...open.get(site) ?? []].filter((body) => body.client === client);
    if (own.length >= perClient || !makeRoom(site)) return refused("busy");
    const reader = request.body.getReader();
    const bodies = open.get(site) ?? new Set();
    let fault: BodyFault | undefined;

    function close(): void {
      clearTimeout(timer);
      if (!bodies.delete(body)) return;
      total--;
      if (bodies.size === 0) open.delete(site);
    }

    /** Ends the pending read. The connection stays open until the client closes it: Deno cannot close it. */
    function end(why: BodyFault): void {
      fault ??= why;
      close();
      reader.cancel().catch(() => {});
    }

    const timer = setTimeout(() => end("late"), deadlineMs);
    const body: OpenBody = { client, drop: () => end("busy") };
    open.set(site, bodies.add(body));
    total++;
    const decoder = new TextDecoder();
    let size = 0;
    let text = "";
    try {
      while (fault === undefined) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.byteLength;
        if (size > maxBytes) end("tooLarge");
        text += decoder.decode(value, { stream: true });
      }
      return fault === undefined ? { kind: "text", text: text + decoder.decode() } : refused(fault);
    } catch {
      return refused(fault ?? "broken");
    } finally {
      close();
    }
  };
}

function refused(reason: BodyFault): BodyReading {
  return { kind: "refused", reason };
}
