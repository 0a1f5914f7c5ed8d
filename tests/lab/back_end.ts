import type { Notice } from "./notices.ts";

/** The software behind a registry, which gives its answers their shape. */
export interface BackEnd {
  contentType: string;
  conformance: readonly string[];
  /** How names are printed. */
  letters: "upper" | "lower";
  /** What a date ends in after the seconds. */
  dateEnd: "Z" | ".0Z" | ".000Z";
  handleEnd: string;
  registrar: string;
  /** On a 200; nothing means that the member is left out. */
  statuses?: readonly string[];
  redacted: boolean;
  /** On a 200, besides the terms. */
  notices: readonly Notice[];
  terms: Notice;
  /** The body of the clean 404; nothing means none at all. */
  notFound?: NotFoundBody;
  /** What a label that is not valid gets. */
  invalidName: 400 | 404;
  /** What a 429 says of when to come back. */
  retryAfter?: "seconds" | "date";
}

/** The members that make a back end's 404. */
export interface NotFoundBody {
  errorCode: 404 | "404";
  title: string;
  description: (domain: string) => readonly string[];
  /** Whether the terms come with it. */
  terms: boolean;
  /** Members that no standard asks for. */
  extra?: Readonly<Record<string, unknown>>;
}
