import { startFaultyServer } from "./faulty_server.ts";

/** A request to a server that must get none. */
export interface RecordedVisit {
  place: "trap" | "redirect";
  method: string;
  path: string;
  at: number;
}

/** Servers to which hostile contracts point. */
export interface Trap extends AsyncDisposable {
  /** The trap, which would answer. */
  url: string;
  /** A server that redirects to the trap. */
  redirectUrl: string;
  /** The requests to either. */
  requests: RecordedVisit[];
}

/** Starts a trap and a redirect to it. */
export async function startTrap(): Promise<Trap> {
  const requests: RecordedVisit[] = [];
  const start = (place: RecordedVisit["place"]) =>
    startFaultyServer(({ method, path }) => {
      requests.push({ place, method, path, at: performance.now() });
      return JSON.stringify({ data: "0x" });
    });
  await using stack = new AsyncDisposableStack();
  const trap = stack.use(await start("trap"));
  const redirect = stack.use(await start("redirect"));
  await redirect.setBehaviour({
    kind: "reply",
    status: 302,
    body: "",
    headers: { location: `${trap.url}/internal` },
  });
  const running = stack.move();
  return {
    url: `${trap.url}/`,
    redirectUrl: `${redirect.url}/`,
    requests,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
