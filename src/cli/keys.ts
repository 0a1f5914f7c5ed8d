/** `deno task keys`: creates, lists and revokes API keys. */
import { withDeadline } from "../flow/deadline.ts";
import { createKeys, type KeyRecord, type Keys } from "../store/keys.ts";
import { openPlatformOrExit } from "../wiring/platform.ts";
import {
  openTerminal,
  QUIET,
  readNumber,
  refuse,
  runCommand,
  type Terminal,
  type ValuesOf,
} from "./terminal.ts";

const OPTIONS = { label: { type: "string" }, limit: { type: "string" } } as const;
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
  { write, err }: Pick<Terminal, "write" | "err">,
  openKeys: () => Promise<Keys>,
): Promise<0 | 1> {
  const spec = { write, err, options: OPTIONS, usage: USAGE };
  return await runCommand(args, spec, async (values, positionals) => {
    const command = readKeysCommand(values, positionals);
    const late = new Error(`no answer within ${KV_MS / 1_000} s`);
    const done = await withDeadline(openKeys().then(command), KV_MS, late)
      .catch((error: Error) => error);
    if (done instanceof Error) return err(`KV failed: ${done.message}\n`), 1;
    // After the deadline: who reads a list may take longer.
    await write(done.out ?? "");
    err(done.err ?? "");
    return done.exit ?? 0;
  });
}

/** A command of valid arguments; it returns what is to be written. */
type KeysCommand = (keys: Keys) => Promise<{ out?: string; err?: string; exit?: 1 }>;

function create(label: string, limit: number | undefined): KeysCommand {
  return async (keys) => {
    const { key, record } = await keys.create(label, limit);
    const once = "The key is stored only as a hash and cannot be shown again.";
    // Only the key goes to stdout, so that it can be piped.
    return { out: `${key}\n`, err: `Created ${describeKey(record)}${once}\n` };
  };
}

const list: KeysCommand = async (keys) => ({
  out: (await keys.list()).map(describeKey).join(""),
});

function revoke(id: string): KeysCommand {
  return async (keys) => {
    const revocation = await keys.revoke(id);
    if (revocation.kind === "revoked") return { out: `Revoked ${describeKey(revocation.record)}` };
    const message = revocation.kind === "unknown"
      ? "No key has this id"
      : `${revocation.count} keys have an id with this prefix; give more of it`;
    return { err: `${message}\n`, exit: 1 };
  };
}

/** The line of a key. */
function describeKey({ id, label, limit, createdAt }: KeyRecord): string {
  const each = limit === undefined ? "default limit" : `${limit} per minute`;
  return `${id.slice(0, SHOWN)}  ${createdAt.slice(0, 10)}  ${each.padEnd(18)}  ${label}\n`;
}

function readKeysCommand(
  { label, limit }: ValuesOf<typeof OPTIONS>,
  [command, id, ...rest]: readonly string[],
): KeysCommand {
  if (command === "create") {
    if (id !== undefined || label === undefined || !LABEL.test(label)) {
      return refuse("Expected create --label <1 to 100 printable characters>");
    }
    return create(label, readNumber("limit", limit, MAX_LIMIT));
  }
  if ((label ?? limit) !== undefined) refuse("--label and --limit require create");
  if (command === "list" && id === undefined) return list;
  if (command === "revoke" && id && rest.length === 0) return revoke(id);
  return refuse("Expected create, list or revoke <id>");
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
