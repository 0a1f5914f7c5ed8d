// @ts-types="@types/dns-packet"
import packet from "dns-packet";

/** The ways in which the lab's name server can answer a query. */
export type DnsBehaviour =
  & (
    /** NS records in the answer section, as a resolver gives them. */
    | { kind: "delegated"; nameServers?: readonly string[] }
    /** NS records in the authority section, as the TLD's own servers give them. */
    | { kind: "referral" }
    /** NS records of the TLD in the authority section, as from a server that does not resolve. */
    | { kind: "upwardReferral" }
    /** TXT records, each of one string or more. */
    | { kind: "text"; records: readonly (readonly string[])[] }
    /** No such name, with the SOA of the TLD. */
    | { kind: "nxdomain" }
    /** The name exists and has no record of that type. */
    | { kind: "nodata" }
    /** An address in place of "no such name", for every type of record, as a resolver with a search page gives it. */
    | { kind: "rewritten" }
    | { kind: "servfail" }
    | { kind: "refused" }
    /** No answer at all. */
    | { kind: "silent" }
    /** Bytes that are not a DNS message. */
    | { kind: "garbage" }
    /** A delegation under another query's id. */
    | { kind: "wrongId" }
  )
  & { delayMs?: number };

/** The name of each behaviour that can be scripted by its name alone. */
export type DnsBehaviourKind = Exclude<DnsBehaviour["kind"], "text">;

/** RCODEs sit in the low bits of the flags; `dns-packet` writes flags only as a number. */
const RCODE = { noerror: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;

const NAME_SERVERS = ["ns1.hosting.example", "ns2.hosting.example"];

/** The bytes that answer `query` by a behaviour; undefined for a silent server. */
export function dnsReply(query: packet.Packet, behaviour: DnsBehaviour): Uint8Array | undefined {
  const name = query.questions?.[0]?.name ?? "";
  switch (behaviour.kind) {
    case "silent":
      return undefined;
    case "garbage":
      return new TextEncoder().encode("!");
    case "delegated":
      return reply(query, { answers: records(name, behaviour.nameServers) });
    case "wrongId":
      return reply({ ...query, id: ((query.id ?? 0) + 1) & 0xffff }, { answers: records(name) });
    case "referral":
      return reply(query, { authorities: records(name) }, { aa: false });
    case "upwardReferral":
      return reply(query, { authorities: records(tldOf(name)) }, { aa: false });
    case "text":
      return reply(query, { answers: texts(name, behaviour.records) });
    case "nodata":
      return reply(query, { authorities: [soa(name)] });
    case "rewritten":
      return reply(query, { answers: [{ type: "A", name, ttl: 60, data: "192.0.2.1" }] });
    case "nxdomain":
      return reply(query, { authorities: [soa(name)] }, { flags: RCODE.nxdomain });
    case "servfail":
    case "refused":
      return reply(query, {}, { aa: false, flags: RCODE[behaviour.kind] });
  }
}

function reply(
  query: packet.Packet,
  sections: Pick<packet.Packet, "answers" | "authorities">,
  { aa = true, flags = RCODE.noerror }: { aa?: boolean; flags?: number } = {},
): Uint8Array {
  const bits = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE |
    (aa ? packet.AUTHORITATIVE_ANSWER : 0) | flags;
  const { id = 0, questions = [] } = query;
  return packet.encode({ type: "response", id, flags: bits, questions, ...sections });
}

function records(name: string, nameServers: readonly string[] = NAME_SERVERS): packet.Answer[] {
  return nameServers.map((data) => ({ type: "NS", name, ttl: 3600, data }));
}

function texts(name: string, records: readonly (readonly string[])[]): packet.Answer[] {
  return records.map((data) => ({ type: "TXT", name, ttl: 3600, data: [...data] }));
}

/** The last label of a name. */
export function tldOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function soa(name: string): packet.Answer {
  const tld = tldOf(name);
  const names = { mname: `a.nic.${tld}`, rname: `hostmaster.nic.${tld}` };
  const times = { refresh: 1800, retry: 900, expire: 604800, minimum: 900 };
  return { type: "SOA", name: tld, ttl: 900, data: { ...names, serial: 1, ...times } };
}
