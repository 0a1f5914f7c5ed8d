/** A WHOIS server with a limit, as registries have one and publish none. */
import type { WhoisBehaviour } from "../lab/whois_behaviours.ts";
import { startWhoisServer, type WhoisListener } from "../lab/whois_server.ts";

/** What it answers in any minute; it refuses the rest. */
export const WHOIS_LIMIT = 30;

const MINUTE_MS = 60_000;

/** The answer of a registry that withholds no name. */
export function usualAnswer(domain: string): WhoisBehaviour {
  return /^(?:google|nic|amazon)\./.test(domain) ? "record" : "denial";
}

/** The server, and when it has refused a query. */
export interface LimitedWhois extends WhoisListener {
  readonly refused: readonly number[];
}

/** Starts it; the limit counts the domains of `isLimited`. */
export async function startLimitedWhois(
  { answer = usualAnswer, isLimited = () => true, delayMs }: {
    answer?: (domain: string) => WhoisBehaviour;
    isLimited?: (domain: string) => boolean;
    delayMs: (tld: string) => number;
  },
): Promise<LimitedWhois> {
  let answered: number[] = [];
  const refused: number[] = [];
  const server = await startWhoisServer({
    answer(domain) {
      if (!isLimited(domain)) return answer(domain);
      const now = performance.now();
      answered = answered.filter((at) => now - at < MINUTE_MS);
      if (answered.length >= WHOIS_LIMIT) {
        refused.push(now);
        return "limited";
      }
      answered.push(now);
      return answer(domain);
    },
    delayMs,
  });
  return { ...server, refused };
}
