/** `deno task keys`: makes, lists and revokes API keys. */
import type { KeyRecord, Keys } from "../store/keys.ts";
import { parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";

/** Where the command writes. */
export type KeysTerminal = Pick<Terminal, "out" | "err">;

/** What was asked for, or why it makes no sense. */
type Order =
  | { kind: "create"; label: string; limit: number | undefined }
  | { kind: "list" }
  | { kind: "revoke"; id: string }
  | { kind: "help" }
  | { kind: "refused"; why: string };

const USAGE = `Usage: deno task keys create --label <text> [--limit <n>]
       deno task keys list
       deno task keys revoke <id>

  --label   whose key it is, for the list
  --limit   requests a minute; else as RATE_LIMIT_KEY says
  id        as in the list, or as much of its beginning as is unique

A key is shown once, when it is made. A revoked key passes for some seconds more.
Exit status: 0 done, 1 wrong use.
`;

const LARGEST_LIMIT = 1_000_000;
/** As many characters of an id as a person wants to see; the odds of two alike are one in trillions. */
const SHOWN = 12;
/** Letters, marks, digits, punctuation, symbols and plain spaces: nothing that could steer a terminal. */
const LABEL = /^(?=.*\S)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

/** Runs the command; `openKeys` is called only once there is something to do. */
export async function runKeys(
  args: readonly string[],
  terminal: KeysTerminal,
  openKeys: () => Promise<Keys>,
): Promise<0 | 1> {
  const order = readOrder(args);
  if (order.kind === "help") return terminal.out(USAGE), 0;
  if (order.kind === "refused") return terminal.err(`${order.why}\n\n${USAGE}`), 1;
  const keys = await openKeys();
  if (order.kind === "create") {
    const { key, record } = await keys.create(order.label, order.limit);
    // Only the key goes to stdout, so that it can be piped to where it belongs.
    terminal.out(`${key}\n`);
    terminal.err(`Made ${lineOf(record)}\nThe key is not kept and cannot be shown again.\n`);
    return 0;
  }
  if (order.kind === "list") {
    for (const record of await keys.list()) terminal.out(`${lineOf(record)}\n`);
    return 0;
  }
  return await revoke(order.id, terminal, keys);
}

async function revoke(id: string, terminal: KeysTerminal, keys: Keys): Promise<0 | 1> {
  const revocation = await keys.revoke(id);
  if (revocation.kind === "revoked") {
    return terminal.out(`Revoked ${lineOf(revocation.record)}\n`), 0;
  }
  const why = revocation.kind === "unknown"
    ? "No key has this id"
    : `${revocation.count} keys have an id that begins so; give more of it`;
  return terminal.err(`${why}\n`), 1;
}

function lineOf({ id, label, limit, createdAt }: KeyRecord): string {
  const each = limit === undefined ? "default limit" : `${limit} a minute`;
  return `${id.slice(0, SHOWN)}  ${createdAt.slice(0, 10)}  ${each.padEnd(18)}  ${label}`;
}

function readOrder(args: readonly string[]): Order {
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
  const { values: { label, limit, help = false }, positionals: [verb, id, ...rest] } = parsed;
  if (help) return { kind: "help" };
  if (verb === "create" && id === undefined) return readCreation(label, limit);
  if (label !== undefined || limit !== undefined) return refused("Only create takes options");
  if (verb === "list" && id === undefined) return { kind: "list" };
  if (verb === "revoke" && id !== undefined && id !== "" && rest.length === 0) {
    return { kind: "revoke", id };
  }
  return refused("Give create, list or revoke <id>");
}

function readCreation(label: string | undefined, limit: string | undefined): Order {
  if (label === undefined || !LABEL.test(label)) {
    return refused("Give a --label of 1 to 100 printable characters");
  }
  if (limit === undefined) return { kind: "create", label, limit };
  const number = /^[1-9]\d{0,6}$/.test(limit) ? Number(limit) : Infinity;
  if (number > LARGEST_LIMIT) return refused(`Give a --limit from 1 to ${LARGEST_LIMIT}`);
  return { kind: "create", label, limit: number };
}

function refused(why: string): Order {
  return { kind: "refused", why };
}
