import { startFaultyServer } from "./faulty_server.ts";

/** A request to a place where nobody may go. */
export interface RecordedVisit {
  place: "trap" | "redirect";
  method: string;
  path: string;
  at: number;
}

/** What hostile contracts point at. */
export interface Trap extends AsyncDisposable {
  /** The trap itself: it would answer. */
  url: string;
  /** What sends its visitors to the trap. */
  redirectUrl: string;
  /** Who came to either. */
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
