import { createServer, type IncomingMessage } from "node:http";
import { GODADDY } from "./back_ends.ts";
import type { LabScript } from "./lab_script.ts";
import { after, later } from "./delays.ts";
import { notFoundReply } from "./registry_replies.ts";
import { rdapBehaviours, type RdapScript } from "./rdap_behaviours.ts";
import { NEW_HOME, REGISTRIES, type Registry } from "./registries.ts";
import { type HttpBehaviour, sendResponse } from "./http_behaviour.ts";
import { ianaTable } from "./iana_table.ts";
import { priceList } from "./price_list.ts";
import { openServer } from "./open_server.ts";

/** Starts the HTTP side of a lab, one server for all hosts: the registries, IANA's table and the price list. */
export async function startLabWeb(script: LabScript, latency: "none" | "real") {
  /** The files that the lab publishes, by their addresses. */
  const files = new Map<string, HttpBehaviour>();
  /** Publishes a file; what it returns publishes any bytes in its place. */
  const publish = (address: string, first: string) => {
    const set = (body: string | Uint8Array, status = 200) =>
      void files.set(address, { kind: "text", contentType: "application/json", status, body });
    set(first);
    return set;
  };
  const answer = (host: string, path: string): HttpBehaviour => {
    const file = script.hostScript(host) === undefined ? files.get(host + path) : undefined;
    if (file) return file;
    // Any other host is a router without registries: it sends a clean 404 for every name.
    const registry = BY_HOST.get(host) ?? { host, backEnd: GODADDY, bases: {}, latencyMs: 0 };
    const behaviour = answerAsRegistry(registry, path, script);
    return latency === "none" ? behaviour : later(behaviour, registry.latencyMs);
  };
  /** The host that was asked for, with its port if one was named, the path with its query string, and when (`performance.now()`). */
  const requests: { host: string; path: string; at: number }[] = [];
  const server = await openServer(createServer((incoming, response) => {
    const { host, path } = targetOf(incoming);
    requests.push({ host, path, at: performance.now() });
    const behaviour = answer(host, path);
    after(incoming.socket, behaviour.delayMs ?? 0, () => {
      if (!incoming.socket.destroyed) sendResponse(incoming, response, behaviour);
    });
  }));
  return {
    requests,
    /** The server simulates every host: a forward proxy. */
    proxyUrl: `http://${server.address}`,
    setTable: publish("iana.lab/rdap/dns.json", ianaTable()),
    setPrices: publish("prices.lab/pricing", JSON.stringify(priceList())),
    close: server.close,
  };
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** The absolute URL of a forward proxy's client names the host, or else `X-Forwarded-Host`: Deno's fetch sets no Host header. */
function targetOf({ url = "/", headers }: IncomingMessage) {
  const [, asked, rest] = ABSOLUTE.exec(url) ?? [];
  const host = asked ?? `${headers["x-forwarded-host"] ?? headers.host ?? ""}`;
  return { host: host.toLowerCase(), path: (asked === undefined ? url : rest) || "/" };
}

const BY_HOST = new Map([...REGISTRIES, NEW_HOME].map((registry) => [registry.host, registry]));

const DOMAIN_PATH = /^(\/(?:[^?]*?\/)?)(moved\/)?domain\/([^/?]*)$/;

const NO_SUCH_PAGE: HttpBehaviour = {
  kind: "text",
  status: 404,
  contentType: "text/html",
  body: "<!doctype html><title>404</title>",
};

/** The answer of a registry to a path. */
function answerAsRegistry(registry: Registry, path: string, script: LabScript): HttpBehaviour {
  const [, base, moved, asked = ""] = DOMAIN_PATH.exec(path) ?? [];
  const domain = asked.toLowerCase();
  const override = script.hostScript(registry.host);
  if (override !== undefined) return played(override, registry, domain);
  if (base === undefined) return NO_SUCH_PAGE;
  const [, tld = "", ...deeper] = domain.split(".");
  if (registry.bases[tld] !== base || deeper.length > 0) return notFoundReply(registry, domain);
  const { rdap, delayMs = 0 } = script.rdapScript(domain);
  return later(played(moved ? "free" : rdap, registry, domain), delayMs);
}

function played(rdap: RdapScript, registry: Registry, domain: string): HttpBehaviour {
  const reply = typeof rdap === "string" ? rdapBehaviours[rdap] : rdap;
  return typeof reply === "function" ? reply(registry, domain) : reply;
}
