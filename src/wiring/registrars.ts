/** Composes the registrars with which the operator has an account. */
import type { Config } from "../config.ts";
import type { AskRegistrars } from "../lookup/judge.ts";
import { createRegistrarWitness } from "../lookup/registrar_witness.ts";
import {
  createQuoteQuestion,
  namecomApi,
  porkbunApi,
  type RegistrarApi,
} from "../sources/registrars.ts";
import type { Base } from "./base.ts";

/** Composes them; undefined without an account: then no request is sent to any registrar. */
export function createRegistrars(
  { config, platform: { now, monotonic, timeouts }, hosts, post }: Base,
): AskRegistrars | undefined {
  const apis = apisOf(config);
  if (apis.length === 0) return undefined;
  const registrars = apis.map((api) => ({
    ...api,
    host: new URL(api.url).host,
    ask: createQuoteQuestion(post, api, now),
  }));
  return createRegistrarWitness(registrars, {
    hosts,
    now,
    monotonic,
    ...timeouts?.registrars,
  });
}

/** In the order in which their offers are preferred. */
function apisOf(config: Config): readonly RegistrarApi[] {
  const {
    PORKBUN_API_KEY: apiKey,
    PORKBUN_SECRET_KEY: secretKey,
    NAMECOM_USERNAME: username,
    NAMECOM_TOKEN: namecomToken,
  } = config;
  const apis: RegistrarApi[] = [];
  if (apiKey !== undefined && secretKey !== undefined) {
    apis.push(porkbunApi({ base: config.PORKBUN_API_URL, apiKey, secretKey }));
  }
  if (username !== undefined && namecomToken !== undefined) {
    apis.push(namecomApi({ base: config.NAMECOM_API_URL, username, token: namecomToken }));
  }
  return apis;
}
