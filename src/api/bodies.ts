/**
 * Bodies of requests and of answers, bounded in size, in time, and in the places that they hold in the process.
 *
 * Deno (2.9.6) copies a whole body and holds it until the client has read it or closes the connection; of a stream it takes
 * as much as the socket takes, and at most 150 KB more (measured). A client that then takes nothing is given up: the rest
 * of its answer is dropped, and its connection is cut when it reads again. Deno closes no connection before, so a proxy's
 * time-outs bound how many stay open.
 */
import { ApiError } from "./errors.ts";

/** Who sent a request: turns and places are dealt by site first, then by client. */
export interface Sender {
  readonly client: string;
  readonly site: string;
}

/** The bounds: of all clients together, and of one. */
interface PlaceLimits {
  readonly atOnce: number;
  readonly perClient: number;
}

/** A place that a client holds. */
interface Place extends Sender {
  /** Called when it goes to another client. */
  drop(): void;
}

/**
 * Creates the places that the clients of a process hold. Where all are taken, the oldest of the site with the most makes
 * room, unless that is the sender's own: a network with many addresses would otherwise take every place.
 */
function createPlaces({ atOnce, perClient }: PlaceLimits) {
  /** The oldest first: a `Set` iterates in order of insertion. */
  const held = new Set<Place>();

  /** Whether there is a place for a site, for which another one may have lost its oldest. */
  function makeRoom(site: string): boolean {
    if (held.size < atOnce) return true;
    const bySite = Map.groupBy(held, (place) => place.site);
    const [busiest = []] = [...bySite.values()].toSorted((a, b) => b.length - a.length);
    const [oldest] = busiest;
    if (oldest === undefined || busiest.length <= (bySite.get(site)?.length ?? 0)) return false;
    held.delete(oldest);
    oldest.drop();
    return true;
  }

  /** Takes a place, which goes to another client by `drop`. Returns what gives it back; undefined if there is none. */
  return ({ client, site }: Sender, drop: () => void) => {
    const own = [...held].filter((place) => place.client === client);
    if (own.length >= perClient || !makeRoom(site)) return undefined;
    const place = { client, site, drop };
    held.add(place);
    return () => void held.delete(place);
  };
}

/** The limits of a process. A body that is being read takes about 200 KB (Deno 2.9.6), however little has arrived. */
export interface BodyLimits extends PlaceLimits {
  readonly maxBytes: number;
  /** For the whole body, in ms. */
  readonly deadlineMs: number;
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

// Created once: capturing a stack costs more than the answer.
const TOO_LARGE = new ApiError("payload_too_large");
const NOT_WHOLE = new ApiError("invalid_body", "it did not arrive whole within 5 seconds");
const TOO_MANY_BODIES = busy("too many bodies are being read");
const TOO_MANY_ANSWERS = busy("too many answers are being sent");

function busy(why: string): ApiError {
  return new ApiError("service_unavailable", why, "Busy", { "retry-after": "1" });
}

/** Creates what reads the text of a request's body; it throws an `ApiError` for one that is refused. */
export function createBodyReader({ maxBytes, deadlineMs, ...limits }: BodyLimits = BODY_LIMITS) {
  const takePlace = createPlaces(limits);

  return async (request: Request, sender: Sender): Promise<string> => {
    if (Number(request.headers.get("content-length")) > maxBytes) throw TOO_LARGE;
    if (request.body === null) return "";
    const giveBack = takePlace(sender, () => end(TOO_MANY_BODIES));
    if (giveBack === undefined) throw TOO_MANY_BODIES;
    const reader = request.body.getReader();
    let fault: ApiError | undefined;

    /** Ends the pending read. The connection stays open until the client closes it: Deno cannot close it. */
    function end(why: ApiError): void {
      fault ??= why;
      reader.cancel().catch(() => {});
    }

    const timer = setTimeout(() => end(NOT_WHOLE), deadlineMs);
    const decoder = new TextDecoder();
    let size = 0;
    let text = "";
    try {
      while (fault === undefined) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.byteLength;
        if (size > maxBytes) end(TOO_LARGE);
        text += decoder.decode(value, { stream: true });
      }
    } catch {
      // The client disconnected, or its chunks are malformed.
      fault ??= NOT_WHOLE;
    } finally {
      clearTimeout(timer);
      giveBack();
    }
    if (fault !== undefined) throw fault;
    return text + decoder.decode();
  };
}

/** A client that takes no byte for so long, while some wait for it, is given up, in ms. */
const UNREAD_MS = 30_000;
/** Of a long text, in bytes. */
const CHUNK_BYTES = 16_384;

/** Answers that are being sent at once, of all clients and of one: a stream that waits takes up to 200 KB (measured). */
const PLACES: PlaceLimits = { atOnce: 2_000, perClient: 1_000 };

/**
 * Makes a body of chunks, each made when it is pulled; `left` is aborted once no more are wanted. Throws an `ApiError` where its
 * sender gets no place.
 */
export type PulledBody = ReturnType<typeof createPulledBody>;

type Timer = ReturnType<typeof setTimeout>;

/** The bounds of answers; tests shorten them. */
export interface PulledBodyOptions {
  /** How long a client may leave the rest unread; 30 s if absent. */
  readonly ms?: number;
  readonly limits?: PlaceLimits;
  /** Aborted when the process ends: no client is given up after that. */
  readonly ending: AbortSignal;
}

/** Creates what makes bodies. */
export function createPulledBody({ ms = UNREAD_MS, limits = PLACES, ending }: PulledBodyOptions) {
  const timers = new Set<Timer | undefined>();
  // Deno (2.9.6) cancels no body in a tenth of the cases in which a client leaves, so the timer would outlive a service.
  ending.addEventListener("abort", () => timers.forEach((timer) => clearTimeout(timer)));
  const takePlace = createPlaces(limits);

  return (
    chunks: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
    sender: Sender,
    { left }: { left?: AbortController } = {},
  ): ReadableStream<Uint8Array> => {
    let stop = (_why: string) => {};
    const giveBack = takePlace(sender, () => stop("Other clients need its place"));
    if (giveBack === undefined) throw TOO_MANY_ANSWERS;
    let timer: Timer | undefined;
    const awaitReader = () => {
      if (ending.aborted) return;
      timers.add(timer = setTimeout(() => stop(`The client has read nothing for ${ms} ms`), ms));
    };
    const endWait = () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
    const end = async () => {
      endWait();
      giveBack();
      left?.abort();
      await chunks.return();
    };
    // Deno may pull nothing where the client has left before the answer began.
    awaitReader();
    return new ReadableStream({
      start(controller) {
        stop = (why) => {
          void end();
          controller.error(new Error(why));
        };
      },
      async pull(controller) {
        endWait();
        try {
          const { done, value } = await chunks.next();
          if (done) {
            void end();
            return controller.close();
          }
          controller.enqueue(value);
        } catch (error) {
          void end();
          throw error;
        }
        awaitReader();
      },
      cancel: end,
    }, { highWaterMark: 0 });
  };
}

/** The chunks of a long text. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
