/** Reports an event to the operator; `log.ts` implements it. */
export type Report = (event: string, fields?: Readonly<Record<string, unknown>>) => void;
