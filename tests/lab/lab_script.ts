import { getPublicSuffix } from "tldts-icann";
import { type DnsBehaviour, tldOf } from "./dns_behaviour.ts";
import { NAMES, type NameScript, UNSCRIPTED } from "./names.ts";
import type { RdapScript } from "./rdap_behaviours.ts";
import { type WhoisBehaviour, whoisByRdap } from "./whois_behaviours.ts";

/** The scripted answers of a lab, which can change while it runs. */
export type LabScript = ReturnType<typeof createLabScript>;

const FOR_SALE = "_for-sale.";

/** Starts from the rows of the lab. */
export function createLabScript() {
  const names = new Map<string, NameScript>(NAMES.map((row) => [row.name, row]));
  const tlds = new Map<string, RdapScript | undefined>();
  const hosts = new Map<string, RdapScript | undefined>();
  const whoisTlds = new Map<string, WhoisBehaviour | undefined>();
  const asked = new Set<string>();
  let unscripted = UNSCRIPTED;
  const find = (domain: string): NameScript =>
    names.get(domain) ?? names.get(labelOf(domain)) ?? unscripted;
  return {
    /** Scripts a label under every TLD, or one whole domain, which goes before its label. */
    script: (name: string, script: NameScript) => void names.set(name.toLowerCase(), script),
    /** Scripts every name that has no script of its own, made-up ones included. */
    scriptUnscripted: (script: NameScript) => void (unscripted = script),
    /** Makes the registry of `tld` do the same for every name. */
    scriptTld: (tld: string, rdap: RdapScript | undefined) => void tlds.set(tld, rdap),
    /** Makes a host answer every request in the same way. */
    scriptHost: (host: string, rdap: RdapScript | undefined) => void hosts.set(host, rdap),
    /** Makes the WHOIS server of `tld` do the same for every name. */
    scriptWhois: (tld: string, whois: WhoisBehaviour | undefined) => void whoisTlds.set(tld, whois),
    hostScript: (host: string) => hosts.get(host),
    whoisBehaviour(domain: string): WhoisBehaviour {
      const { whois, rdap } = find(domain);
      return whoisTlds.get(tldOf(domain)) ?? whois ?? whoisByRdap(rdap);
    },
    /** The registry's reply for a domain, and its additional delay. */
    rdapScript(domain: string): Pick<NameScript, "rdap" | "delayMs"> {
      const rdap = tlds.get(tldOf(domain));
      if (rdap !== undefined) return { rdap };
      const { firstRdap, ...script } = find(domain);
      if (firstRdap === undefined || asked.has(domain)) return script;
      asked.add(domain);
      return { ...script, rdap: firstRdap };
    },
    dnsBehaviour(name: string, type: string): DnsBehaviour {
      if (name.startsWith(FOR_SALE)) {
        const { forSale: records } = find(name.slice(FOR_SALE.length));
        return type !== "TXT" || records === undefined
          ? { kind: "nxdomain" }
          : { kind: "text", records };
      }
      const parent = name.slice(labelOf(name).length + 1);
      // Only the TLDs and the names right below public suffixes exist in the lab.
      if (parent !== "" && getPublicSuffix(name) !== parent) return { kind: "nxdomain" };
      const { dns } = parent === "" ? { dns: "delegated" as const } : find(name);
      const behaviour: DnsBehaviour = typeof dns === "string" ? { kind: dns } : dns;
      return type !== "NS" && behaviour.kind === "delegated" ? { kind: "nodata" } : behaviour;
    },
  };
}

function labelOf(domain: string): string {
  return domain.split(".", 1)[0] ?? "";
}
