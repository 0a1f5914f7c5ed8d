/** `deno task keys`: creates, lists and revokes API keys. */
import { withDeadline } from "../flow/deadline.ts";
import { createKeys, type KeyRecord, type Keys } from "../store/keys.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import { openTerminal, parseArguments, QUIET, readNumber, type Terminal } from "./terminal.ts";

/** What the command writes to. */
type KeysTerminal = Pick<Terminal, "write" | "err">;

const USAGE = `Usage: deno task keys create --label <text> [--limit <n>]
       deno task keys list
       deno task keys revoke <id>

  --label   the owner of the key, shown by list
  --limit   requests per minute (default: RATE_LIMIT_KEY)
  id        the id shown by list, or a unique prefix of it

A key is shown only once, when it is created. Revoking takes effect within seconds.
Exit status: 0 done; 1 wrong usage, or KV failed.
`;

/** Deno's client of KV Connect tries for ever. */
const KV_MS = 30_000;
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
  if (read === "help") return await terminal.write(USAGE), 0;
  if (read instanceof Error) return terminal.err(`${read.message}\n\n${USAGE}`), 1;
  const late = new Error(`no answer within ${KV_MS / 1_000} s`);
  const done = await withDeadline(openKeys().then(read), KV_MS, late).catch((error: Error) =>
    error
  );
  if (done instanceof Error) return terminal.err(`KV failed: ${done.message}\n`), 1;
  // After the deadline: who reads a list may take longer.
  const { out = "", err = "", exit = 0 } = done;
  await terminal.write(out);
  terminal.err(err);
  return exit;
}

/** A command of valid arguments; it returns what is to be written. */
type KeysCommand = (keys: Keys) => Promise<{ out?: string; err?: string; exit?: 1 }>;

function create(label: string, limit: number | undefined): KeysCommand {
  return async (keys) => {
    const { key, record } = await keys.create(label, limit);
    const once = "The key is stored only as a hash and cannot be shown again.";
    // Only the key goes to stdout, so that it can be piped.
    return { out: `${key}\n`, err: `Created ${describeKey(record)}\n${once}\n` };
  };
}

const list: KeysCommand = async (keys) => (
  { out: (await keys.list()).map((record) => `${describeKey(record)}\n`).join("") }
);

function revoke(id: string): KeysCommand {
  return async (keys) => {
    const revocation = await keys.revoke(id);
    const { kind } = revocation;
    if (kind === "revoked") return { out: `Revoked ${describeKey(revocation.record)}\n` };
    const message = kind === "unknown"
      ? "No key has this id"
      : `${revocation.count} keys have an id with this prefix; give more of it`;
    return { err: `${message}\n`, exit: 1 };
  };
}

function describeKey({ id, label, limit, createdAt }: KeyRecord): string {
  const each = limit === undefined ? "default limit" : `${limit} per minute`;
  return `${id.slice(0, SHOWN)}  ${createdAt.slice(0, 10)}  ${each.padEnd(18)}  ${label}`;
}

/** The command, or an error whose message is for the user. */
function readKeysArguments(args: readonly string[]): KeysCommand | "help" | Error {
  const parsed = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      label: { type: "string" },
      limit: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (parsed instanceof Error) return parsed;
  const { values: { label, limit, help }, positionals: [command, id, ...rest] } = parsed;
  if (help) return "help";
  if (command === "create" && id === undefined) return readCreation(label, limit);
  if ((label ?? limit) !== undefined) return new Error("--label and --limit require create");
  if (command === "list" && id === undefined) return list;
  if (command === "revoke" && id && rest.length === 0) return revoke(id);
  return new Error("Expected create, list or revoke <id>");
}

function readCreation(label = "", limit: string | undefined): KeysCommand | Error {
  if (!LABEL.test(label)) {
    return new Error("Invalid --label: expected 1 to 100 printable characters");
  }
  if (limit === undefined) return create(label, limit);
  const number = readNumber("limit", limit, MAX_LIMIT);
  return number instanceof Error ? number : create(label, number);
}

if (import.meta.main) {
  let close = () => {};
  const exitCode = await runKeys(Deno.args, openTerminal(), async () => {
    const { platform } = await openPlatformOrExit(QUIET);
    close = () => platform.close();
    return createKeys(platform.kv, platform);
  });
  close();
  Deno.exit(exitCode);
}
