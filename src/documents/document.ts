/** What a document is. */

/** What documents tell of the service besides its operations. */
export interface About {
  readonly version: string;
  /** How much an address may ask in 60 s. */
  readonly limit: number;
}

/** The text of a document for a service at an address. */
export type Text = (base: string) => string;

/** A document, and how it is printed. */
export interface Document {
  readonly path: string;
  readonly type: string;
  /** Does what has to be done once. */
  print(about: About): Text | Promise<Text>;
  /** What its scripts and styles may do; nothing unless told. */
  readonly contentSecurityPolicy?: string;
}
