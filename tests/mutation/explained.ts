/**
 * Mutants that no test can kill, because what they change can never be seen from outside. `deno task mutate` fails for a
 * survivor that is not here, and for a row whose mutant is killed.
 */

/** A mutant that may survive. */
export interface Explained {
  /** The file in src/rules. */
  readonly file: string;
  /** The text of its line, without the indentation. */
  readonly source: string;
  /** The change as `deno task mutate` prints it. */
  readonly change: string;
  readonly why: string;
}

// deno-fmt-ignore -- one row a line
const ROWS: readonly (readonly [file: string, source: string, change: string, why: string])[] = [
  ["bootstrap.ts", "const [tlds, urls] = Array.isArray(service) ? service : [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Both values are checked to be lists of texts, which neither an absent nor this one is."],
  ["bootstrap.ts", "const base = chooseBase(file.bases.get(tld) ?? [], isAllowed);", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "A URL with a space is refused like an absent one."],
  ["canary.ts", String.raw`case "undecided":`, String.raw`StringLiteral: "undecided" -> ""`, "The default returns the same; the branch makes the switch exhaustive for the compiler."],
  ["canary.ts", String.raw`case "undecided":`, String.raw`ConditionalExpression: case "undecided": return 0; -> case "undecided":`, "The default returns the same; the branch makes the switch exhaustive for the compiler."],
  ["canary.ts", String.raw`return undecided("its RDAP server's answer for a made-up name could not be read", []);`, String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Only a failed answer among these would be quoted."],
  ["canary.ts", "const { kind } = readNotice(own, asked, []);", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Lines that are compared hold at least a place and a colon; this wording knows single letters only."],
  ["canary.ts", String.raw`if (earlier.canary.kind !== "passed" || earlier.base !== later.base) return wordings;`, String.raw`ConditionalExpression: earlier.canary.kind !== "passed" -> false`, "A result that is no pass has no wordings, and those of a pass are four at most, each once."],
  ["canary.ts", "return (one > other ? one : other) || undefined;", "EqualityOperator: one > other -> one >= other", "Equal times are one time."],
  ["canary.ts", String.raw`const fault = answers.find(({ kind }) => kind === "failed");`, String.raw`ConditionalExpression: kind === "failed" -> true`, "Without a registered or a denied name, which have been dealt with, all answers are failures."],
  ["client_subject.ts", String.raw`const address = forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is an address."],
  ["ip_address.ts", String.raw`const GROUPS = /^(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i;`, String.raw`Regex: /^(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i -> /(?:[\da-f]{0,4}:)+[\da-f]{0,4}$/i`, "The package refuses all that could stand in front of groups (tried with ipaddr.js 2.5.0)."],
  ["ip_address.ts", "if (text.length > LONGEST) return undefined;", "ConditionalExpression: text.length > LONGEST -> false", "A longer text is no address anyway; the limit bounds the work."],
  ["name.ts", String.raw`const [first = "", last = "", ...deeper] = input.split(".");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "One default is never used, for split() gives at least one text; in place of the other, neither text is a TLD."],
  ["name.ts", String.raw`const [first = "", last = "", ...deeper] = input.split(".");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "One default is never used, for split() gives at least one text; in place of the other, neither text is a TLD."],
  ["notices.ts", String.raw`/<name>|\b(?:404|be|could|domain|error|is|name|object|query|requested|the|this|was)\b|[\s:.,!'"()]+/g;`, String.raw`Regex: …ould|domain|error|is|name|object|query|requested|the|this|was)\b|[\s:.,!'"()]+/g -> …ould|domain|error|is|name|object|query|requested|the|this|was)\b|[\s:.,!'"()]/g`, "All matches are replaced, one by one or together."],
  ["notices.ts", String.raw`if (isLegal) return texts.length === 0 ? "plain" : "unread";`, String.raw`StringLiteral: "plain" -> ""`, "A meaning without a rank leaves the start of the comparison, which is plain."],
  ["notices.ts", String.raw`if (PHRASES.some(({ meaning, pattern }) => meaning === "premium" && pattern.test(line))) {`, String.raw`ConditionalExpression: meaning === "premium" -> true`, "A line that another phrase matches has made the statement reserved or unsupported before."],
  ["notices.ts", String.raw`return isPlain ? "plain" : "unread";`, String.raw`StringLiteral: "plain" -> ""`, "A meaning without a rank leaves the start of the comparison, which is plain."],
  ["notices.ts", String.raw`return meanings.reduce((one, other) => RANKS[other] < RANKS[one] ? other : one, "plain");`, "EqualityOperator: RANKS[other] < RANKS[one] -> RANKS[other] <= RANKS[one]", "Equal ranks are one meaning."],
  ["parse_json.ts", "} catch {", "BlockStatement: { return undefined; } -> {}", "A function that returns nothing returns undefined."],
  ["parse_json.ts", "for (let at = 0; at < text.length; at++) {", "EqualityOperator: at < text.length -> at <= text.length", "Behind the end there is no code (NaN), which is none of those that count."],
  ["registry_reply.ts", String.raw`: "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is the asked domain."],
  ["retry_after.ts", String.raw`const text = header?.trim() ?? "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a number or a date."],
  ["upstream_url.ts", String.raw`return allowInsecure || URL.parse(text)?.port === "";`, "OptionalChaining: URL.parse(text)?.port -> URL.parse(text).port", "isUpstreamUrl() has parsed the same text."],
  ["upstream_url.ts", String.raw`const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));`, String.raw`Regex: /^\[(.*)\]$/ -> /\[(.*)\]$/`, "The URL parser writes brackets around a whole IPv6 address only."],
  ["upstream_url.ts", String.raw`const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));`, String.raw`Regex: /^\[(.*)\]$/ -> /^\[(.*)\]/`, "The URL parser writes brackets around a whole IPv6 address only."],
  ["window.ts", "if (first === 0) return window;", "ConditionalExpression: first === 0 -> false", "The same slots, copied; the branch saves the copy."],
  ["window.ts", "return first < 0 ? [] : window.slice(first);", "EqualityOperator: first < 0 -> first <= 0", "The case of 0 has returned one line above."],
  ["window.ts", "if (one.length === 0) return other;", "ConditionalExpression: one.length === 0 -> false", "The same slots, copied; the branch saves the merge."],
  ["window.ts", "if (other.length === 0) return one;", "ConditionalExpression: other.length === 0 -> false", "The same slots, copied; the branch saves the merge."],
  ["wording.ts", "if (lineCount > MAX_LINES) return;", "ConditionalExpression: lineCount > MAX_LINES -> false", "The caller returns undefined for as many lines anyway; the branch bounds the work."],
  ["wording.ts", "!prints[place]?.some((print) => known.has(print))", "OptionalChaining: prints[place]?.some -> prints[place].some", "There is one list of prints for each line."],
  ["wording.ts", "const names = [domain, ...(unicodeDomain === undefined ? [] : [unicodeDomain])];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "A domain that no registry writes would be taken out as well."],
];

/** All of them. */
export const EXPLAINED: readonly Explained[] = ROWS.map(([file, source, change, why]) => ({
  file,
  source,
  change,
  why,
}));
