/**
 * Equivalent mutants: their change has no observable effect, so no test can kill them. `deno task mutate` fails for a
 * survivor without a row here, and for a row whose mutant is killed.
 */

/** A mutant that may survive. */
export interface Explained {
  /** Its file in src/rules. */
  readonly file: string;
  /** Its source line, without indentation. */
  readonly source: string;
  /** Its change, as `deno task mutate` prints it. */
  readonly change: string;
  readonly reason: string;
}

// deno-fmt-ignore -- one row per line
const ROWS: readonly (readonly [file: string, source: string, change: string, reason: string])[] = [
  ["readers/availability_reply.ts", String.raw`const [said, another] = [...text.trim().matchAll(ANSWERS[answer])].map(([, said = ""]) => said);`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "The default is never used, because the group is part of each match."],
  ["readers/bootstrap.ts", "const [tlds, urls] = Array.isArray(service) ? service : [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Both values must be arrays of strings; neither undefined nor this text is one."],
  ["readers/bootstrap.ts", "const base = chooseBase(file.bases.get(tld) ?? [], isAllowed);", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "A URL with a space is refused like a missing one."],
  ["canary.ts", String.raw`return undecided("its RDAP server's answer for a made-up name could not be read", []);`, String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Only a failed answer in this list would be quoted."],
  ["canary.ts", "return (one > other ? one : other) || undefined;", "EqualityOperator: one > other -> one >= other", "If both are equal, either is the right one."],
  ["canary.ts", String.raw`const fault = answers.find(({ kind }) => kind === "failed");`, String.raw`ConditionalExpression: kind === "failed" -> true`, "Registered and notFound answers were handled before, so all that remain are failures."],
  ["canary.ts", String.raw`case "failed":`, String.raw`StringLiteral: "failed" -> ""`, "The default branch returns the same; this one makes the switch exhaustive for the compiler."],
  ["canary.ts", String.raw`case "undecided":`, String.raw`StringLiteral: "undecided" -> ""`, "The default branch returns the same; this one makes the switch exhaustive for the compiler."],
  ["client_address.ts", String.raw`const address = forwardedFor.split(",").at(-trustedProxies)?.trim() ?? "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is an address."],
  ["evidence.ts", String.raw`...("test" in answer && answer.test && { canary: { found: answer.test } }),`, String.raw`LogicalOperator: "test" in answer && answer.test -> "test" in answer || answer.test`, "No answer has a test without a word."],
  ["evidence.ts", 'const { source, reason = "" } = verdict;', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a quotation."],
  ["describe_details.ts", "const { status = [], nameServers = [], premiumBelow = [] } = details;", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "An entry of premiumBelow without a day adds no words."],
  ["drop_dates.ts", "if (phase === undefined || range === undefined || range[1] < now) return undefined;", "ConditionalExpression: phase === undefined -> false", "Without a phase there is no range; the compiler requires the comparison."],
  ["drop_dates.ts", String.raw`const registeredAt = lastRegisteredAt(error ?? "");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is the reason that names the day."],
  ["drop_dates.ts", String.raw`function endOf({ expiresAt = "" }: Dated): number {`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a date."],
  ["drop_dates.ts", String.raw`const deletedAt = Date.parse(updatedAt ?? "");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a date."],
  ["readers/for_sale.ts", String.raw`return [octets.length > MAX_OCTETS ? "" : decode(octets.slice(VERSION.length)).trimStart()];`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text begins with a tag."],
  ["readers/for_sale.ts", String.raw`const url = URL.parse(valueOf("furi") ?? "");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a URL."],
  ["ip_address.ts", String.raw`const [before = [], after = []] = text.split("::").map((side) =>`, String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "The first default is never used, because split() returns at least one text."],
  ["ip_address.ts", String.raw`const [first = "", length] = text.split("/");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "The default is never used, because split() returns at least one text."],
  ["ip_address.ts", "if (text.length > LONGEST) return undefined;", "ConditionalExpression: text.length > LONGEST -> false", "A longer text is never an address; the limit bounds the work."],
  ["labels/label_policy.ts", "const unknownTables = policy.unknownTables ?? [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "No script has this code."],
  ["labels/label_policy.ts", "const isUnknownTable = script !== undefined && policy.unknownTables?.includes(script) === true;", "ConditionalExpression: script !== undefined -> true", "No list holds undefined; the compiler requires the comparison."],
  ["labels/label_policy.ts", String.raw`if (!candidates.some(({ reading }) => reading === "blocking")) return undefined;`, String.raw`MethodExpression: candidates.some(({ reading }) => reading === "blocking") -> candidates.every(({ reading }) => reading === "blocking")`, "Under each TLD, the tables that hold a U-label with lookalikes are all read in the same way."],
  ["labels/label_policy.ts", String.raw`const [script = ""] = scriptsOf(letters);`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a script."],
  ["labels/label_policy.ts", 'const compiled = classes.get(inside) ?? new RegExp(`[${inside}]`, "u");', String.raw`StringLiteral: "u" -> ""`, "No repertoire has a letter above U+FFFF."],
  ["name.ts", "const [, mailHost] = MAIL_ADDRESS.exec(input) ?? [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Neither list has a second value."],
  ["near_miss.ts", "while (same < a.length && a[same] === b[same]) same++;", "ConditionalExpression: same < a.length -> true", "The words differ, so the loop ends with the shorter one at the latest."],
  ["near_miss.ts", "while (same < a.length && a[same] === b[same]) same++;", "EqualityOperator: same < a.length -> same <= a.length", "The words differ, so the loop ends with the shorter one at the latest."],
  ["readers/notices.ts", String.raw`return meanings.reduce((one, other) => RANKS[other] < RANKS[one] ? other : one, "plain");`, "EqualityOperator: RANKS[other] < RANKS[one] -> RANKS[other] <= RANKS[one]", "Equal ranks mean equal meanings."],
  ["readers/parse_json.ts", "} catch {", "BlockStatement: { return undefined; } -> {}", "A function without a return statement returns undefined."],
  ["readers/parse_json.ts", "for (let at = 0; at < text.length; at++) {", "EqualityOperator: at < text.length -> at <= text.length", "charCodeAt() returns NaN after the end, which matches no bracket."],
  ["readers/registrar_reply.ts", String.raw`return typeof value === "string" ? value : "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a code, a reason or a domain that was asked about."],
  ["readers/registry_details.ts", "return Array.isArray(value) ? value.slice(0, MAX_PARTS) : [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "This text is no status word, role, object or jCard property."],
  ["readers/registry_reply.ts", String.raw`: "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is the asked domain."],
  ["readers/retry_after.ts", String.raw`const text = header?.trim() ?? "";`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a number or a date."],
  ["upstream_url.ts", String.raw`return allowInsecure || URL.parse(text)?.port === "";`, "OptionalChaining: URL.parse(text)?.port -> URL.parse(text).port", "isUpstreamUrl() has parsed the same text."],
  ["upstream_url.ts", String.raw`const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));`, String.raw`Regex: /^\[(.*)\]$/ -> /\[(.*)\]$/`, "The URL parser writes brackets around a whole IPv6 address only."],
  ["upstream_url.ts", String.raw`const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));`, String.raw`Regex: /^\[(.*)\]$/ -> /^\[(.*)\]/`, "The URL parser writes brackets around a whole IPv6 address only."],
  ["verdict.ts", String.raw`const isNoName = dns.kind === "failed" && dns.fault === "invalid" && policy.kind === "forbidden";`, String.raw`ConditionalExpression: dns.kind === "failed" -> true`, "Only an answer that failed has a fault."],
  ["verdict.ts", String.raw`case "unknown":`, String.raw`StringLiteral: "unknown" -> ""`, "The default branch returns the same; this one makes the switch exhaustive for the compiler."],
  ["verdict.ts", String.raw`case "unknown":`, String.raw`ConditionalExpression: case "unknown": return undefined; -> case "unknown":`, "The default branch returns the same; this one makes the switch exhaustive for the compiler."],
  ["verdict.ts", "default:", "ConditionalExpression: default: state satisfies never; return undefined; -> default:", "A function without a return statement returns undefined."],
  ["readers/whois_reply.ts", 'return { key, value: value === "" ? valueBelow(line, lines[place + 1] ?? "") : value };', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is indented or a field."],
  ["readers/whois_reply.ts", 'const [, bracketed, named = "", value = ""] = FIELD.exec(line) ?? [];', String.raw`StringLiteral: "" -> "Stryker was here!"`, "No table has this key."],
  ["readers/whois_reply.ts", 'const [, bracketed, named = "", value = ""] = FIELD.exec(line) ?? [];', String.raw`StringLiteral: "" -> "Stryker was here!"`, "No table has the key of a line without a field."],
  ["readers/whois_reply.ts", 'const [, bracketed, named = "", value = ""] = FIELD.exec(line) ?? [];', String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "The first item is not read."],
  ["readers/whois_reply.ts", 'return KEY.exec(title.slice(title.lastIndexOf("/") + 1))?.[0] ?? "";', String.raw`StringLiteral: "" -> "Stryker was here!"`, "No table has either key."],
  ["readers/whois_reply.ts", "return [...new Set(names.map((name) => normalName(name.slice(0, MAX_NAME_CHARS))))];", "MethodExpression: name.slice(0, MAX_NAME_CHARS) -> name", "No name that is asked about is so long; the limit bounds the work."],
  ["readers/whois_reply.ts", String.raw`const title = text.toLowerCase().replaceAll(/[_-]/g, " ").replace(/\([^]*/, "");`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "The capital letter of this text ends the key before it."],
  ["readers/templates.ts", String.raw`return /[-+/=]/.test(readId(kind)?.[1] ?? "");`, String.raw`Regex: /[-+/=]/ -> /[^-+/=]/`, "What is read as a whole in an answer was read so in the templates, too, so that its kind has one of the signs."],
  ["readers/whois_reply.ts", "let wasComment = false;", "BooleanLiteral: false -> true", "The first paragraph would be empty, and those are left out."],
  ["readers/whois_reply.ts", "if (!isEmpty) paragraphs.at(-1)?.push(line);", "OptionalChaining: paragraphs.at(-1)?.push -> paragraphs.at(-1).push", "There is always a last paragraph."],
  ["window.ts", "if (first === 0) return window;", "ConditionalExpression: first === 0 -> false", "The result has the same slots; the branch only avoids a copy."],
  ["window.ts", "return first < 0 ? [] : window.slice(first);", "EqualityOperator: first < 0 -> first <= 0", "0 returns one line above."],
  ["window.ts", "if (one.length === 0) return other;", "ConditionalExpression: one.length === 0 -> false", "The result has the same slots; the branch only avoids a merge."],
  ["window.ts", "if (other.length === 0) return one;", "ConditionalExpression: other.length === 0 -> false", "The result has the same slots; the branch only avoids a merge."],
  ["window.ts", "if ((window.at(-1)?.at ?? 0) > slots.at) return merge(window, [slots]);", "ConditionalExpression: (window.at(-1)?.at ?? 0) > slots.at -> true", "The result has the same slots; the branch only avoids a sort."],
  ["window.ts", "if ((window.at(-1)?.at ?? 0) > slots.at) return merge(window, [slots]);", "EqualityOperator: (window.at(-1)?.at ?? 0) > slots.at -> (window.at(-1)?.at ?? 0) >= slots.at", "Both ways add the counts of an equal time."],
  ["window.ts", "if (other.length === 0) return window;", "ConditionalExpression: other.length === 0 -> false", "The result has the same slots; the branch only avoids a copy."],
  ["readers/registrar_reply.ts", "const { results = [] } = json;", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "Only objects are entries."],
  ["readers/root_zone.ts", String.raw`const [first = "", ...lines] = text.trim().toLowerCase().split("\n").map((line) => line.trim());`, String.raw`StringLiteral: "" -> "Stryker was here!"`, "The default is never used, because split() returns at least one text."],
  ["readers/root_zone.ts", "const [, year, month, day] = VERSION.exec(first) ?? [];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "The first item is not read."],
  ["readers/statements.ts", "if (isTooMuch()) return;", "ConditionalExpression: isTooMuch() -> false", "The caller returns undefined for so much text; the branch only bounds the work."],
  ["readers/statements.ts", "const names = [domain, ...(unicodeDomain === undefined ? [] : [unicodeDomain])];", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "It would also remove a domain that no registry ever writes."],
  ["readers/statements.ts", "if (charCount > MAX_CHARS) return;", "ConditionalExpression: charCount > MAX_CHARS -> false", "The caller returns undefined for so much text; the branch only bounds the work."],
  ["readers/templates.ts", "for (let at = 0; at < line.length;) {", "EqualityOperator: at < line.length -> at <= line.length", "After the end there is no mark, and charAt() adds nothing."],
  ["readers/templates.ts", 'const [time = ""] = DATE_TIME.exec(line) ?? [];', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is a date."],
  ["readers/templates.ts", 'const [time = ""] = DATE_TIME.exec(line) ?? [];', String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "This text is no date."],
  ["readers/templates.ts", "const zoned = /z$|[+-]\\d\\d:?\\d\\d$/i.test(time) ? time : `${time}z`;", String.raw`Regex: /z$|[+-]\d\d:?\d\d$/i -> /z$|[+-]\d\d:?\d\d/i`, "Before the zone, a date with a time has no such text."],
  ["readers/templates.ts", "const zoned = /z$|[+-]\\d\\d:?\\d\\d$/i.test(time) ? time : `${time}z`;", String.raw`Regex: /z$|[+-]\d\d:?\d\d$/i -> /z|[+-]\d\d:?\d\d$/i`, "Before the zone, a date with a time has no z."],
  ["readers/templates.ts", String.raw`const ms = Date.parse(zoned.toUpperCase().replace(" ", "T").replace(",", "."));`, "MethodExpression: zoned.toUpperCase() -> zoned.toLowerCase()", "V8 reads both letter cases; the standard promises one."],
  ["readers/templates.ts", "pairs(lines, byPath.get(path)?.lines ?? [])", String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "No registry says this."],
  ["readers/templates.ts", String.raw`["uuid", /^[0-9a-f]{8}-[0-9a-f-]{27}$/i],`, String.raw`Regex: /^[0-9a-f]{8}-[0-9a-f-]{27}$/i -> /[0-9a-f]{8}-[0-9a-f-]{27}$/i`, "No other token has a hyphen behind eight hexadecimal digits."],
  ["readers/templates.ts", String.raw`["uuid", /^[0-9a-f]{8}-[0-9a-f-]{27}$/i],`, String.raw`Regex: /^[0-9a-f]{8}-[0-9a-f-]{27}$/i -> /^[0-9a-f]{8}-[0-9a-f-]{27}/i`, "No token is longer than a UUID and begins with one."],
  ["readers/templates.ts", String.raw`["time", /^\d{4}-\d\d-\d\d[t ]/i],`, String.raw`Regex: /^\d{4}-\d\d-\d\d[t ]/i -> /\d{4}-\d\d-\d\d[t ]/i`, "No token has a date behind its beginning."],
  ["readers/templates.ts", String.raw`["date", /^\d{4}-\d\d-\d\d$/],`, String.raw`Regex: /^\d{4}-\d\d-\d\d$/ -> /\d{4}-\d\d-\d\d$/`, "No token has a date behind its beginning."],
  ["readers/templates.ts", 'if (token === "") return false;', 'ConditionalExpression: token === "" -> false', "Where no token stands, the length is 0 either way; the branch says so."],
  ["readers/templates.ts", 'if (token === "") return false;', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Where no token stands, the length is 0 either way; no token has spaces."],
  ["readers/templates.ts", 'if (token === "") return false;', "BooleanLiteral: false -> true", "Where no token stands, the length is 0 either way."],
  ["readers/templates.ts", 'const [id = ""] = OPAQUE.exec(text) ?? [];', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is an id."],
  ["readers/templates.ts", 'const [id = ""] = OPAQUE.exec(text) ?? [];', String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "This text is no id."],
  ["readers/templates.ts", String.raw`const isOfWords = !/\d/.test(id) && (id.match(/[a-z][A-Z]/g) ?? []).length < 3;`, String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "One change of case is as few as none."],
  ["readers/templates.ts", 'const other = readId(joined.get(key) ?? "");', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text is the kind of an id."],
  ["readers/templates.ts", 'const [form = "", signs] = kind.slice("id:".length).split(":");', String.raw`StringLiteral: "" -> "Stryker was here!"`, "split() returns a first part."],
  ["readers/templates.ts", 'const [length, signs = ""] = readId(kind) ?? [];', String.raw`StringLiteral: "" -> "Stryker was here!"`, "It is not used for the kind of another token."],
  ["readers/templates.ts", 'const [length, signs = ""] = readId(kind) ?? [];', String.raw`ArrayDeclaration: [] -> ["Stryker was here"]`, "No kind begins with this length."],
  ["readers/templates.ts", 'return /[-+/=]/.test(readId(kind)?.[1] ?? "");', String.raw`StringLiteral: "" -> "Stryker was here!"`, "Neither text has one of the signs."],
  ["readers/templates.ts", 'const kinds = piece.varies.map((kind) => kind.replace(/^=|:.*/g, ""));', "Regex: /^=|:.*/g -> /=|:.*/g", "A word has no other equals sign, and those of an id stand behind its colon."],
];

/** All explained mutants. */
export const EXPLAINED: readonly Explained[] = ROWS.map(([file, source, change, reason]) => ({
  file,
  source,
  change,
  reason,
}));
