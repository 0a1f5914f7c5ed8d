import { type KvConnect, startKvConnect } from "../lab/kv_connect/kv_connect.ts";

/** A KV with a client of it. */
export interface OpenKv extends AsyncDisposable {
  readonly kv: Deno.Kv;
  /** A client as another process has it; local KV has one client, and gives that. */
  openAnother(): Promise<Deno.Kv>;
}

/** A kind of KV that the stores must work on. */
export interface KvKind {
  readonly name: string;
  open(): Promise<OpenKv>;
}

/** A local KV, and a KV Connect server. */
export const KV_KINDS: readonly KvKind[] = [
  { name: "local KV", open: openLocal },
  { name: "KV Connect", open: () => openKvConnect({ roundTripMs: 0 }) },
];

/** Registers a test for each kind of KV, with an empty one. */
export function onEachKv(
  name: string,
  run: (kv: Deno.Kv, open: OpenKv) => Promise<void>,
): void {
  for (const kind of KV_KINDS) {
    Deno.test(`${name} (${kind.name})`, async () => {
      await using open = await kind.open();
      await run(open.kv, open);
    });
  }
}

async function openLocal(): Promise<OpenKv> {
  const kv = await Deno.openKv(":memory:");
  return {
    kv,
    openAnother: () => Promise.resolve(kv),
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  };
}

/** A KV Connect server with a client of it. */
export interface OpenKvConnect extends OpenKv {
  readonly server: KvConnect;
}

/** Starts a KV Connect server and opens it; closing it closes all of its clients first. */
export async function openKvConnect(
  options: { roundTripMs: number },
): Promise<OpenKvConnect> {
  const server = startKvConnect(options);
  const clients: Deno.Kv[] = [];
  const openAnother = async () => {
    const kv = await server.openKv();
    clients.push(kv);
    return kv;
  };
  return {
    kv: await openAnother(),
    openAnother,
    server,
    async [Symbol.asyncDispose]() {
      for (const kv of clients) kv.close();
      await server.close();
    },
  };
}
