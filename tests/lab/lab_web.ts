import { answerAsRegistry } from "./answer_as_registry.ts";
import { ianaTable, rootZoneList } from "./iana_table.ts";
import type { ReadableLabScript } from "./lab_script.ts";
import { later } from "./delays.ts";
import { priceList } from "./price_list.ts";
import { publishFile } from "./published_file.ts";
import { REGISTRIES } from "./registries.ts";
import { type RegistryServer, startRegistryServer } from "./registry_server.ts";

/** The service pins these to https, which the lab does not support: so its table lists them, unlike IANA's. */
const LISTED_HERE = {
  io: "http://rdap.identitydigital.services/rdap/",
  me: "http://rdap.identitydigital.services/rdap/",
};

/** Starts the HTTP side of a lab: the registries, IANA's table and the price list. */
export async function startLabWeb(
  script: ReadableLabScript,
  { port, latency }: { port: number; latency: "none" | "real" },
) {
  const table = publishFile(ianaTable(REGISTRIES, { moved: LISTED_HERE }));
  const prices = publishFile(priceList());
  const zone = publishFile("");
  zone.set(rootZoneList());
  const files = [
    { host: "iana.lab", path: "/rdap/dns.json", file: table },
    { host: "prices.lab", path: "/pricing", file: prices },
    { host: "iana.lab", path: "/TLD/tlds-alpha-by-domain.txt", file: zone },
  ];
  const server: RegistryServer = await startRegistryServer({
    port,
    answer({ host, path }) {
      const found = script.hostScript(host) === undefined &&
        files.find((published) =>
          published.path === path &&
          (published.host === host || server.url === `http://${host}`)
        );
      if (found) return found.file.answer();
      const { behaviour, latencyMs } = answerAsRegistry(host, path, script);
      return latency === "none" ? behaviour : later(behaviour, latencyMs);
    },
  });
  const [bootstrapUrl = "", pricesUrl = ""] = files.map(({ host, path }) =>
    `http://${host}${path}`
  );
  return { server, table, zone, prices, bootstrapUrl, pricesUrl };
}
