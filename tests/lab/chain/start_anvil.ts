import { ANVIL_PACKAGES } from "./anvil_packages.ts";
import { npmFiles } from "./npm_files.ts";

/** An Ethereum node of its own that runs. */
export interface Anvil extends AsyncDisposable {
  url: string;
}

/** Enough for the whole world in two blocks. */
const BUILDING_GAS = 1_000_000_000;

const LISTENING = /^Listening on (\S+)$/m;

/** Starts an empty chain whose first block is of `timestamp`. It mines when it is told to. */
export async function startAnvil(
  { timestamp, chainId }: { timestamp: number; chainId: number },
): Promise<Anvil> {
  const child = new Deno.Command(await binary(), {
    args: [
      ...["--port=0", `--chain-id=${chainId}`, "--accounts=1", `--timestamp=${timestamp}`],
      // Anybody may send, and pays nothing.
      ...["--no-mining", "--auto-impersonate", "--gas-price=0", "--base-fee=0"],
      ...[`--gas-limit=${BUILDING_GAS}`, "--no-request-size-limit"],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const address = await listeningAddress(output);
  // Were nobody to read on, it would stop once the pipe is full.
  const drained = drain(output);
  return {
    url: `http://${address}`,
    async [Symbol.asyncDispose]() {
      // Ctrl-C has reached it too, and it may have ended by itself.
      await Promise.all([child[Symbol.asyncDispose](), drained]);
    },
  };
}

/** `ANVIL` names the binary where there is no package for the platform. */
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
    if (done) throw new Error(`Cannot start anvil: it said ${JSON.stringify(text)} and ended`);
    text += value;
    const [, address] = LISTENING.exec(text) ?? [];
    if (address) return address;
  }
}

async function drain(output: ReadableStreamDefaultReader<string>) {
  while (!(await output.read()).done);
}
