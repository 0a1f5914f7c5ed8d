/** `deno task keys`: creates, lists and revokes API keys. */
import type { KeyRecord, Keys } from "../store/keys.ts";
import { parseArguments } from "./parse_arguments.ts";
import { sanitize, type Terminal } from "./terminal.ts";

/** What the command writes to. */
type KeysTerminal = Pick<Terminal, "out" | "err">;

/** The command, or an error message for the user. */
type KeysArguments =
  | { kind: "create"; label: string; limit: number | undefined }
  | { kind: "list" }
  | { kind: "revoke"; id: string }
  | { kind: "help" }
  | { kind: "refused"; message: string };

const USAGE = `Usage: deno task keys create --label <text> [--limit <n>]
       deno task keys list
       deno task keys revoke <id>

  --label   the owner of the key, shown by list
  --limit   requests per minute (default: RATE_LIMIT_KEY)
  id        the id shown by list, or a unique prefix of it

A key is shown only once, when it is created. Revoking takes effect within seconds.
Exit status: 0 done; 1 wrong usage.
`;

const MAX_LIMIT = 1_000_000;
/** The characters of an id that are shown; the odds of a collision are one in trillions. */
const SHOWN = 12;
/** Letters, marks, digits, punctuation, symbols and plain spaces: nothing that a terminal interprets. */
const LABEL = /^(?=.*\S)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

/** Runs the command; `openKeys` is called only when the arguments are valid. */
export async function runKeys(
  args: readonly string[],
  terminal: KeysTerminal,
  openKeys: () => Promise<Keys>,
): Promise<0 | 1> {
  const read = readKeysArguments(args);
  if (read.kind === "help") return terminal.out(USAGE), 0;
  if (read.kind === "refused") return terminal.err(`${read.message}\n\n${USAGE}`), 1;
  const keys = await openKeys();
  if (read.kind === "create") {
    const { key, record } = await keys.create(read.label, read.limit);
    // Only the key goes to stdout, so that it can be piped.
    terminal.out(`${key}\n`);
    terminal.err(`Created ${describeKey(record)}\n`);
    terminal.err("The key is stored only as a hash and cannot be shown again.\n");
    return 0;
  }
  if (read.kind === "list") {
    for (const record of await keys.list()) terminal.out(`${describeKey(record)}\n`);
    return 0;
  }
  return await revoke(read.id, terminal, keys);
}

async function revoke(id: string, terminal: KeysTerminal, keys: Keys): Promise<0 | 1> {
  const revocation = await keys.revoke(id);
  if (revocation.kind === "revoked") {
    return terminal.out(`Revoked ${describeKey(revocation.record)}\n`), 0;
  }
  const message = revocation.kind === "unknown"
    ? "No key has this id"
    : `${revocation.count} keys have an id with this prefix; give more of it`;
  return terminal.err(`${message}\n`), 1;
}

function describeKey({ id, label, limit, createdAt }: KeyRecord): string {
  const each = limit === undefined ? "default limit" : `${limit} per minute`;
  return `${id.slice(0, SHOWN)}  ${createdAt.slice(0, 10)}  ${each.padEnd(18)}  ${label}`;
}

function readKeysArguments(args: readonly string[]): KeysArguments {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      label: { type: "string" },
      limit: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (parsed instanceof Error) return refused(parsed.message);
  const { values: { label, limit, help = false }, positionals: [command, id, ...rest] } = parsed;
  if (help) return { kind: "help" };
  if (command === "create" && id === undefined) return readCreation(label, limit);
  if (label !== undefined || limit !== undefined) {
    return refused("--label and --limit require create");
  }
  if (command === "list" && id === undefined) return { kind: "list" };
  if (command === "revoke" && id !== undefined && id !== "" && rest.length === 0) {
    return { kind: "revoke", id };
  }
  return refused("Expected create, list or revoke <id>");
}

function readCreation(label: string | undefined, limit: string | undefined): KeysArguments {
  if (label === undefined || !LABEL.test(label)) {
    return refused("Invalid --label: expected 1 to 100 printable characters");
  }
  if (limit === undefined) return { kind: "create", label, limit };
  const number = /^[1-9]\d{0,6}$/.test(limit) ? Number(limit) : Infinity;
  if (number > MAX_LIMIT) {
    return refused(`Invalid --limit: got "${sanitize(limit)}", expected 1 to ${MAX_LIMIT}`);
  }
  return { kind: "create", label, limit: number };
}

function refused(message: string): KeysArguments {
  return { kind: "refused", message };
}
