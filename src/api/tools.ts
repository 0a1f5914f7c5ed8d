import { checkDomainTool } from "./check_domain_tool.ts";
import { register } from "./register.ts";
import { registrarLine } from "./registrar_line.ts";
import { tlds } from "./tlds.ts";
import { operationTool, type Tool } from "./tool.ts";

const listTlds = operationTool(tlds, {
  name: "list_tlds",
  title: "List the TLDs that can be checked",
  description:
    "List the TLDs that check_domain takes, with the registry server that is asked for each. Use it when a TLD was " +
    "refused, or to choose among generic ones (gTLD) and those of countries (ccTLD).",
  text: ({ count, tlds }) => `${count} TLDs: ${tlds.map(({ tld }) => tld).join(", ")}`,
});

const registrationLinks = operationTool(register, {
  name: "registration_links",
  title: "Give registration links",
  description:
    "Give the links at registrars that register a domain, with an estimated price for the first year where it is " +
    "known. It does not check the domain: use check_domain first, which gives the same links with links: true. The " +
    "links may be affiliate links; show them to the person as they are.",
  text: ({ registrars }) => registrars.map(registrarLine).join("\n"),
});

/** Every tool, in the order in which they are listed. */
// deno-lint-ignore no-explicit-any -- each has schemas of its own; `tool()` has checked run and text against them
export const tools: readonly Tool<any, any>[] = [checkDomainTool, listTlds, registrationLinks];
