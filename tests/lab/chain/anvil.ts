import { npmFiles, type NpmPackage } from "./npm_files.ts";

/** The package that holds anvil's binary, and the path of the binary in it. */
export interface AnvilPackage extends NpmPackage {
  os: typeof Deno.build.os;
  arch: typeof Deno.build.arch;
  path: string;
}

const VERSION = "1.7.1";

/** Anvil by platform. Only the package that was run in development is pinned by its hash. */
export const ANVIL_PACKAGES: readonly AnvilPackage[] = [
  {
    os: "linux",
    arch: "x86_64",
    name: "@foundry-rs/anvil-linux-amd64",
    version: VERSION,
    path: "bin/anvil",
    integrity:
      "sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==",
  },
  {
    os: "linux",
    arch: "aarch64",
    name: "@foundry-rs/anvil-linux-arm64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "darwin",
    arch: "aarch64",
    name: "@foundry-rs/anvil-darwin-arm64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "darwin",
    arch: "x86_64",
    name: "@foundry-rs/anvil-darwin-amd64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "windows",
    arch: "x86_64",
    name: "@foundry-rs/anvil-win32-amd64",
    version: VERSION,
    path: "bin/anvil.exe",
  },
];

/** A running Ethereum node. */
export interface Anvil extends AsyncDisposable {
  url: string;
}

/** Enough for all contracts and names in two blocks. */
const BUILDING_GAS = 1_000_000_000;

const LISTENING = /^Listening on (\S+)$/m;

/** Starts an empty chain whose first block is of `timestamp`. It mines on request only. */
export async function startAnvil(
  { timestamp, chainId }: { timestamp: number; chainId: number },
): Promise<Anvil> {
  const child = new Deno.Command(await binary(), {
    args: [
      ...["--port=0", `--chain-id=${chainId}`, "--accounts=1", `--timestamp=${timestamp}`],
      // Any account may send transactions, for free.
      ...["--no-mining", "--auto-impersonate", "--gas-price=0", "--base-fee=0"],
      ...[`--gas-limit=${BUILDING_GAS}`, "--no-request-size-limit"],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const address = await listeningAddress(output);
  // Unread, a full pipe would stop anvil.
  const drained = drain(output);
  return {
    url: `http://${address}`,
    async [Symbol.asyncDispose]() {
      // Ctrl-C reaches it too, so it may have exited.
      await Promise.all([child[Symbol.asyncDispose](), drained]);
    },
  };
}

/** `ANVIL` names the binary on platforms without a package. */
async function binary(): Promise<string> {
  const named = Deno.env.get("ANVIL");
  if (named) return named;
  const { os, arch } = Deno.build;
  const pack = ANVIL_PACKAGES.find((row) => row.os === os && row.arch === arch);
  if (!pack) throw new Error(`Cannot find anvil for ${os} on ${arch}: name one with ANVIL`);
  const [path] = await npmFiles(pack, [pack.path]);
  return path!;
}

async function listeningAddress(output: ReadableStreamDefaultReader<string>): Promise<string> {
  for (let text = "";;) {
    const { value, done } = await output.read();
    if (done) throw new Error(`Cannot start anvil: it printed ${JSON.stringify(text)} and exited`);
    text += value;
    const [, address] = LISTENING.exec(text) ?? [];
    if (address) return address;
  }
}

async function drain(output: ReadableStreamDefaultReader<string>) {
  while (!(await output.read()).done);
}
