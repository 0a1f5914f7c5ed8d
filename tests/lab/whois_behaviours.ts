import { Buffer } from "node:buffer";
import type { RdapScript } from "./rdap_behaviours.ts";
import type { WhoisForm } from "./whois_forms.ts";

/** What a WHOIS server does with a query: sends a text and closes, or something worse. */
export type WhoisPlay =
  | { kind: "bytes"; bytes: Uint8Array; padding?: Uint8Array }
  /** Takes the query and never answers. */
  | { kind: "silent" }
  /** A byte every few milliseconds, without end. */
  | { kind: "drip"; text: string }
  /** A TCP reset in place of an answer. */
  | { kind: "reset" };

type Reply = (form: WhoisForm, domain: string) => string | WhoisPlay;

/** Shared by all answers: each of its own would keep the test's process busy. */
const PADDING = new Uint8Array(5 * 1024 * 1024).fill("\n".charCodeAt(0));

/** Every behaviour of a WHOIS server, by name. */
export const whoisBehaviours = {
  record: (form, domain) => form.record(domain),
  denial: (form, domain) => form.denial(domain),
  /** As Tucows words it. */
  reserved: (_, domain) =>
    `Domain Name: ${domain}\nThis name is not available for registration:\nRegistry Reserved`,
  /** As the server of io words it. */
  globalblock: () =>
    "This name is not available for registration.\nThis name has been blocked by a GlobalBlock service\n",
  /** As PIR words it. */
  dropzone: () =>
    "This domain is currently available for application via the PIR Dropzone service.\n",
  premium: () => "This premium domain is available for purchase.\n",
  limited: () =>
    "WHOIS LIMIT EXCEEDED: your address has been blocked. Access is restricted, try again later.\n",
  empty: () => "",
  /** A record with a letter that is not UTF-8, in a field beside the name. */
  latin1: (form, domain) => ({
    kind: "bytes",
    bytes: Buffer.from(`${form.record(domain)}Registrant Organization: Müller Söhne\r\n`, "latin1"),
  }),
  /** Begins with a record, so that a cut answer would be one. */
  oversized: (form, domain) => ({
    kind: "bytes",
    bytes: new TextEncoder().encode(form.record(domain)),
    padding: PADDING,
  }),
  silent: () => ({ kind: "silent" }),
  drip: (form, domain) => ({ kind: "drip", text: form.record(domain) }),
  reset: () => ({ kind: "reset" }),
} as const satisfies Readonly<Record<string, Reply>>;

/** The name of each behaviour. */
export type WhoisBehaviour = keyof typeof whoisBehaviours;

/** What WHOIS says of names whose RDAP answer is scripted; any other name is denied. */
const BY_RDAP: Readonly<Record<string, WhoisBehaviour>> = {
  registered: "record",
  registeredNoStatus: "record",
  registeredUndelegated: "record",
  pendingDelete: "record",
  redemption: "record",
  serverHold: "record",
  reserved: "reserved",
  globalblock: "globalblock",
  blockedBsa: "globalblock",
  dropzone: "dropzone",
  premium: "premium",
  platinum: "premium",
};

/** What WHOIS says of a name by its RDAP script. */
export function whoisByRdap(rdap: RdapScript): WhoisBehaviour {
  return (typeof rdap === "string" ? BY_RDAP[rdap] : undefined) ?? "denial";
}
