/** Tells whoever runs the service about an event; `log.ts` implements it. */
export type Report = (event: string, fields?: Readonly<Record<string, unknown>>) => void;
