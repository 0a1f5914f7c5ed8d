/**
 * Reads the reply of a registry's availability service. Its documented answers are read, and no other: a limit or a failure
 * says nothing of the name.
 */
import type { AvailabilityService } from "../tables/whois_servers.ts";
import { quoteDenial, type WhoisReading } from "./whois_reply.ts";

/** Reads a reply to a question sent at `askedAt` (ms since 1970). */
export function readAvailabilityReply(
  text: string,
  { answer, meanings }: Pick<AvailabilityService, "answer" | "meanings">,
  askedAt: number,
): WhoisReading {
  // Two answers speak of two names: then none counts.
  const [said, another] = [...text.trim().matchAll(ANSWERS[answer])].map(([, said = ""]) => said);
  if (said === undefined || another !== undefined) {
    return { kind: "unread", askedAt, words: quoteDenial(text) };
  }
  switch (meanings.get(said.trim().toUpperCase())) {
    case "free":
      return { kind: "notFound", askedAt };
    case "taken":
      return { kind: "registered", askedAt };
    case "withheld":
      return { kind: "reserved", askedAt, words: quoteDenial(text) };
    case undefined:
      return { kind: "unread", askedAt, words: quoteDenial(text) };
  }
}

/** Where the answer stands. */
const ANSWERS: Readonly<Record<AvailabilityService["answer"], RegExp>> = {
  // Alone in its line and in the text.
  code: /^(-?\d+)[ \t]*(?::.*)?$/g,
  status: /^[ \t]*Status:([^\r\n]*)/gim,
};
