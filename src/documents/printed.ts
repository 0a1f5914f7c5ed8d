import { lazy } from "../flow/lazy.ts";
import type { About, Document } from "./document.ts";

/** A document as one caller is to get it. */
export interface Printed {
  readonly document: Document;
  readonly text: string;
  readonly etag: string;
}

/** Gives a document with the service's own address in it. */
export type GetPrinted = (base: string) => Promise<Printed>;

/** Prints a document once; its tag is made anew only where the address is another than the last one. */
export function createPrinted(document: Document, about: About): GetPrinted {
  const text = lazy(async () => await document.print(about));
  let last: { base: string; printed: Printed } | undefined;
  return async (base) => {
    if (last?.base !== base) {
      const printed = (await text.get())(base);
      last = { base, printed: { document, text: printed, etag: await etagOf(printed) } };
    }
    return last.printed;
  };
}

async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `"${new Uint8Array(digest, 0, 12).toBase64({ alphabet: "base64url" })}"`;
}
