/** The details of a name in lines for people. */
import type { Drop } from "./drop_dates.ts";
import type { EnsDates } from "./ens.ts";
import type { OpenOffer } from "./readers/for_sale.ts";
import type { RegistryDetails } from "./readers/registry_details.ts";

/** A service of another version may have other words. */
type Facts = Omit<RegistryDetails, "status"> & EnsDates & {
  readonly status: readonly string[];
  readonly drop: Record<keyof Drop, string>;
  readonly forSale: OpenOffer;
  readonly reason: string;
  readonly error: string;
};

/** What is read of the details of a name. */
export type DescribedDetails = { readonly [Fact in keyof Facts]?: Facts[Fact] | undefined };

/** A line for each group of facts that there are. */
export function describeDetails(details: DescribedDetails): string[] {
  const { registrar, premiumBelow = [], status = [], nameServers = [], dnssec, drop, forSale } =
    details;
  const dates = [
    dateIn("created", details.createdAt),
    dateIn("updated", details.updatedAt),
    dateIn("expires", details.expiresAt),
    dateIn("grace ends", details.graceEndsAt),
    ...premiumBelow.map(({ usd, on }) => dateIn(`premium below ${usd} USD from`, on)),
    dateIn("premium ends", details.premiumEndsAt),
  ];
  const number = registrar?.ianaId === undefined ? undefined : `(IANA ${registrar.ianaId})`;
  return [
    lineOf("registrar: ", [registrar?.name, number], " "),
    lineOf("", dates),
    lineOf("status: ", status),
    lineOf("name servers: ", nameServers),
    lineOf("DNSSEC: ", dnssec === undefined ? [] : [dnssec ? "signed" : "not signed"]),
    ...(drop === undefined ? [] : [dropLine(drop)]),
    lineOf("", forSale === undefined ? [] : ["for sale", forSale.price, forSale.url], " "),
    lineOf("reserved: ", [details.reason]),
    lineOf("error: ", [details.error]),
  ].filter((line) => line !== "");
}

/** The known parts below a title; "" if there are none. */
function lineOf(title: string, parts: readonly (string | undefined)[], separator = ", "): string {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? "" : `${title}${known.join(separator)}`;
}

function dateIn(words: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${words} ${date.slice(0, 10)}`;
}

function dropLine({ phase, earliest, latest, rule }: Facts["drop"]): string {
  const words = phase.replaceAll("_", " ");
  return `could drop between ${earliest} and ${latest} if not renewed (${words}; ${rule})`;
}
