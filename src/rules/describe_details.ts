/** The details of a name in lines for people. */
import type { OpenOffer } from "./readers/for_sale.ts";

/** What is read of the details of a name. */
export interface DescribedDetails {
  readonly registrar?:
    | { readonly name?: string | undefined; readonly ianaId?: number | undefined }
    | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly graceEndsAt?: string | undefined;
  readonly premiumEndsAt?: string | undefined;
  readonly premiumBelow?:
    | readonly { readonly usd: number; readonly on: string }[]
    | undefined;
  readonly status?: readonly string[] | undefined;
  readonly nameServers?: readonly string[] | undefined;
  readonly dnssec?: boolean | undefined;
  readonly drop?:
    | Readonly<Record<"phase" | "earliest" | "latest" | "rule", string>>
    | undefined;
  readonly forSale?: OpenOffer | undefined;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}

/** A line for each group of facts that there are. */
export function describeDetails(details: DescribedDetails): string[] {
  const { registrar, dnssec, drop, forSale, reason, error } = details;
  const { status = [], nameServers = [], premiumBelow = [] } = details;
  const dates = [
    dateIn("created", details.createdAt),
    dateIn("updated", details.updatedAt),
    dateIn("expires", details.expiresAt),
    dateIn("grace ends", details.graceEndsAt),
    ...premiumBelow.map(({ usd, on }) => dateIn(`premium below ${usd} USD from`, on)),
    dateIn("premium ends", details.premiumEndsAt),
  ].filter((part) => part !== "");
  const number = registrar?.ianaId === undefined ? [] : [`(IANA ${registrar.ianaId})`];
  return [
    ...(registrar === undefined
      ? []
      : [["registrar:", registrar.name ?? [], number].flat(2).join(" ")]),
    ...(dates.length === 0 ? [] : [dates.join(", ")]),
    ...(status.length === 0 ? [] : [`status: ${status.join(", ")}`]),
    ...(nameServers.length === 0 ? [] : [`name servers: ${nameServers.join(", ")}`]),
    ...(dnssec === undefined ? [] : [`DNSSEC: ${dnssec ? "signed" : "not signed"}`]),
    ...(drop === undefined ? [] : [dropLine(drop)]),
    ...(forSale === undefined ? [] : [offerLine(forSale)]),
    ...(reason === undefined ? [] : [`reserved: ${reason}`]),
    ...(error === undefined ? [] : [`error: ${error}`]),
  ];
}

function dateIn(words: string, date: string | undefined): string {
  return date === undefined ? "" : `${words} ${date.slice(0, 10)}`;
}

function dropLine(
  { phase, earliest, latest, rule }: NonNullable<DescribedDetails["drop"]>,
): string {
  const words = phase.replaceAll("_", " ");
  return `could drop between ${earliest} and ${latest} if not renewed (${words}; ${rule})`;
}

function offerLine({ price, url }: OpenOffer): string {
  return ["for sale", price, url].filter((part) => part !== undefined).join(" ");
}
