/** What is read alike of all that comes over HTTP: JSON of untrusted senders, and Retry-After. */

/**
 * The deepest nesting that is parsed. RDAP nests entities, jCards and links about 10 levels deep, JSON-RPC 3.
 * `JSON.parse` recurses natively: 1.5 million brackets (3 MB) held the event loop for 2.2 s (measured, Deno 2.9.6).
 */
export const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The most arrays and objects that are parsed. IANA's table, the largest honest file, has a few thousand; 1.3 million
 * empty arrays (4 MB) held the event loop for 0.5 s.
 */
export const MAX_CONTAINERS = 100_000;

/**
 * The parsed value; undefined if the text is not JSON (RFC 8259), is nested deeper than `MAX_DEPTH` or has more than
 * `MAX_CONTAINERS` arrays and objects.
 */
export function parseJson(text: string): unknown {
  if (isExcessive(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object or a list in JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The parsed object or list; undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Whether a parsed value has members. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

/** Counts brackets outside strings in one pass, and stops at the limit. */
function isExcessive(text: string): boolean {
  let depth = 0;
  let containers = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH || ++containers > MAX_CONTAINERS) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** A text with the colon after it if it is a member's name, or a number. */
const NAMES_AND_NUMBERS = /"(?:[^"\\]|\\.)*"(\s*:)?|\d[-+.\deE]*/g;
/** Digits that a number holds exactly. */
const EXACT_CHARS = 15;

/** What a word in another charset than UTF-8 is decoded to, as is any other of its length. */
const UNDECODED = /\ufffd{2}/;

/**
 * The parsed object or list of JSON that says no more: no member twice, of which parsing keeps the last, no rounded number, and
 * no word in another charset; undefined for any other text.
 */
export function readExact(text: string): JsonObject | undefined {
  const json = readObject(text);
  // Of what is no JSON, such as a text without its end, the expression would take seconds.
  if (json === undefined || UNDECODED.test(text)) return undefined;
  let members = 0;
  for (const [token, colon] of text.matchAll(NAMES_AND_NUMBERS)) {
    if (colon !== undefined) members++;
    if (!token.startsWith('"') && token.length > EXACT_CHARS) return undefined;
  }
  return members === countMembers(json) ? json : undefined;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const items = Object.values(value);
  return items.reduce(
    (sum, item) => sum + countMembers(item),
    Array.isArray(value) ? 0 : items.length,
  );
}

/**
 * The longest cooldown, and the longest Retry-After passed on to clients, so that a client never waits longer than the
 * host's cooldown. A host that needs more will send it again.
 */
const LONGEST_PAUSE_MS = 60 * 60_000;
const SECONDS = /^\d+$/;
/** So many seconds (31 years) are no pause but a time since 1970, as some servers send. */
const SINCE_1970 = 1e9;
/** All three forms of an HTTP date (RFC 9110 §5.6.7) begin with the weekday; `Date.parse` accepts much else. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** Only the `asctime` form ends with the year. It means UTC, but `Date.parse` would read it as local time. */
const ZONELESS_END = / \d{4}$/;

/** Milliseconds to wait from `now`, at most an hour; undefined if the header is absent or invalid. */
export function readRetryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const ms = SECONDS.test(text)
    ? Number(text) * 1_000 - (Number(text) < SINCE_1970 ? 0 : now)
    : DATE.test(text)
    ? Date.parse(ZONELESS_END.test(text) ? `${text} GMT` : text) - now
    : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_PAUSE_MS);
}
