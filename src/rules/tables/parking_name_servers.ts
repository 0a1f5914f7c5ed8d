/**
 * Name servers that only parking and auction houses use, as rows. General name servers of registrars are left out: live
 * sites use them too.
 */

/** A name server's domain, whose it is, and where that is published. */
interface ParkingRow {
  readonly domain: string;
  readonly house: string;
  readonly source: string;
}

const APNIC = "APNIC, The prevalence of domain parking, 2023-11";
const MISP = "MISP warning list parking-domain-ns, 2022-10";
const CASHPARKING = "GoDaddy, CashParking set-up, seen 2026-10";
const OBSERVED = "delegations of names on sale there, seen 2026-10";

/** The rows. Some houses have closed, and names are still delegated to them. */
export const PARKING_NAME_SERVERS: readonly ParkingRow[] = [
  { domain: "above.com", house: "Above", source: MISP },
  { domain: "afternic.com", house: "Afternic", source: APNIC },
  { domain: "atom.com", house: "Atom", source: OBSERVED },
  { domain: "bodis.com", house: "Bodis", source: MISP },
  { domain: "cashparking.com", house: "GoDaddy CashParking", source: CASHPARKING },
  { domain: "dan.com", house: "Dan.com", source: MISP },
  { domain: "domainmarket.com", house: "DomainMarket", source: MISP },
  { domain: "hugedomains.com", house: "HugeDomains", source: OBSERVED },
  { domain: "parkingcrew.net", house: "ParkingCrew", source: MISP },
  { domain: "parklogic.com", house: "ParkLogic", source: MISP },
  { domain: "sedoparking.com", house: "Sedo", source: MISP },
  { domain: "undeveloped.com", house: "Dan.com", source: OBSERVED },
  { domain: "uniregistrymarket.link", house: "Uniregistry", source: MISP },
];

/** The parking or auction house of name servers, if one of them is a row's or below it. */
export function parkingHouseOf(nameServers: readonly string[]): string | undefined {
  const hosts = nameServers.map((host) => `.${host.toLowerCase().replace(/\.$/, "")}`);
  return PARKING_NAME_SERVERS.find(({ domain }) =>
    hosts.some((host) => host.endsWith(`.${domain}`))
  )?.house;
}
