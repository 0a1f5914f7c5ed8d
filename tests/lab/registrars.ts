import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpBehaviour, sendResponse } from "./http_behaviour.ts";
import { openServer } from "./open_server.ts";
import type { Json } from "../support/service.ts";

/** The registrars whose APIs the lab simulates. */
export const REGISTRAR_SLUGS = ["porkbun", "namecom"] as const;

type RegistrarSlug = typeof REGISTRAR_SLUGS[number];

/** What a registrar does with a name. */
export type Stock = "sold" | "premium" | "refused" | "tldNotSold";

/** The parts of the keys; no output of the service may hold one. */
export const REGISTRAR_KEYS = {
  PORKBUN_API_KEY: "pk1_sb_hush-porkbun-key",
  PORKBUN_SECRET_KEY: "sk1_sb_hush-porkbun-secret",
  NAMECOM_USERNAME: "hush-namecom-user",
  NAMECOM_TOKEN: "hush-namecom-token",
} as const;

const NAMECOM_AUTHORIZATION = `Basic ${
  btoa(`${REGISTRAR_KEYS.NAMECOM_USERNAME}:${REGISTRAR_KEYS.NAMECOM_TOKEN}`)
}`;

interface Api {
  path: string;
  domainsOf(body: Json): string[] | undefined;
  isKeyRight(headers: IncomingMessage["headers"]): boolean;
  wrongKey: HttpBehaviour;
  answer(stocks: readonly (readonly [domain: string, stock: Stock])[]): unknown;
}

const APIS: Readonly<Record<RegistrarSlug, Api>> = {
  porkbun: {
    path: "/api/json/v3/domain/checkDomain",
    domainsOf: ({ domains }) => domains,
    isKeyRight: (headers) =>
      headers["x-api-key"] === REGISTRAR_KEYS.PORKBUN_API_KEY &&
      headers["x-secret-api-key"] === REGISTRAR_KEYS.PORKBUN_SECRET_KEY,
    wrongKey: json(400, { status: "ERROR", code: "INVALID_API_KEYS_001" }),
    answer(stocks) {
      const only = (...kinds: Stock[]) => stocks.filter(([, stock]) => kinds.includes(stock));
      const entries = only("sold", "premium", "refused").map(([domain, stock]) => {
        const isPremium = stock === "premium";
        return [domain, {
          avail: stock === "refused" ? "no" : "yes",
          type: "registration",
          price: isPremium ? "2450.00" : "28.12",
          premium: isPremium ? "yes" : "no",
          minDuration: domain.endsWith(".ai") ? 2 : 1,
          additional: { renewal: { type: "renewal", price: isPremium ? "2450.00" : "51.80" } },
        }];
      });
      return {
        status: "SUCCESS",
        domains: Object.fromEntries(entries),
        invalid: only("tldNotSold").map(([domain]) => ({ domain, reason: "Unsupported TLD." })),
      };
    },
  },
  namecom: {
    path: "/core/v1/domains:checkAvailability",
    domainsOf: ({ domainNames, purchaseType }) =>
      purchaseType === "registration" ? domainNames : undefined,
    isKeyRight: ({ authorization }) => authorization === NAMECOM_AUTHORIZATION,
    wrongKey: json(401, { message: "Unauthorized" }),
    answer: (stocks) => ({
      results: stocks.flatMap(([domainName, stock]) => {
        const isSold = stock === "sold" || stock === "premium";
        if (stock === "tldNotSold") return [];
        return [{
          domainName,
          purchasable: isSold,
          ...(isSold && {
            premium: stock === "premium",
            purchasePrice: stock === "premium" ? 2_450 : 39.99,
            purchaseType: "registration",
            renewalPrice: 59.99,
          }),
        }];
      }).reverse(),
    }),
  },
};

/** A JSON reply. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { kind: "json", status, body, contentType: "application/json", headers } as const;
}

/** Starts the APIs of registrars on loopback, as they are published. */
export async function startRegistrars() {
  /** The requests, with what they ask about: nothing if it is not the registrar's availability question. */
  const calls: { slug: RegistrarSlug; path: string; domains: readonly string[] }[] = [];
  const stocks = new Map<string, Stock>();
  const behaviours = new Map<RegistrarSlug, HttpBehaviour | undefined>();

  async function answer(incoming: IncomingMessage): Promise<HttpBehaviour> {
    const { method = "", url = "", headers } = incoming;
    const body = await text(incoming);
    const slug = REGISTRAR_SLUGS.find((slug) => url.startsWith(`/${slug}/`)) ?? "porkbun";
    const api = APIS[slug];
    const path = url.slice(slug.length + 1);
    const isQuestion = method === "POST" && path === api.path;
    const asked = (isQuestion && api.domainsOf(JSON.parse(body))) || [];
    calls.push({ slug, path, domains: asked });
    const behaviour = behaviours.get(slug);
    if (behaviour !== undefined) return behaviour;
    if (asked.length === 0) return json(404, { message: "not the availability question" });
    if (!api.isKeyRight(headers)) return api.wrongKey;
    const stockOf = (domain: string) => stocks.get(`${slug} ${domain}`) ?? "sold";
    return json(200, api.answer(asked.map((domain) => [domain, stockOf(domain)] as const)));
  }

  const server = createServer(async (incoming, response) => {
    const behaviour = await answer(incoming).catch((): HttpBehaviour => json(400, {}));
    if (!incoming.socket.destroyed) sendResponse(incoming, response, behaviour);
  });
  const open = await openServer(server);
  const base = `http://${open.address}`;
  return {
    /** The variables that say where the registrars are, and make a service ask these. */
    env(...slugs: RegistrarSlug[]): Record<string, string> {
      const keys = Object.entries(REGISTRAR_KEYS).filter(([name]) =>
        slugs.some((slug) => name.startsWith(slug.toUpperCase()))
      );
      return {
        PORKBUN_API_URL: `${base}/porkbun/api/json/v3`,
        NAMECOM_API_URL: `${base}/namecom`,
        ...Object.fromEntries(keys),
      };
    },
    calls,
    /** Sets what a registrar does with a name; it sells all others. */
    stock: (slug: RegistrarSlug, domain: string, stock: Stock) =>
      void stocks.set(`${slug} ${domain}`, stock),
    /** Makes a registrar answer every request like this, or as published again. */
    behave: (slug: RegistrarSlug, behaviour: HttpBehaviour | undefined) =>
      void behaviours.set(slug, behaviour),
    [Symbol.asyncDispose]: open.close,
  };
}
