import * as z from "zod/mini";
import { explain, offerLine, STATE_ENTRIES } from "../../static/vocabulary.js";
import { readDomain, readLabel } from "../rules/name.ts";
import type { Services } from "../wiring/services.ts";
import { check, domainResult, unsupportedTld } from "../api/check.ts";
import { invalidIssue, tldParameter } from "../api/parameters.ts";
import { register } from "../api/register.ts";
import { tool } from "./tool.ts";

const MOST_NAMES = 10;
const MOST_TLDS = 50;

const result = () =>
  z.extend(domainResult(), {
    registrars: z.optional(register.answer().shape.registrars).check(
      z.describe("Where to register it; for available domains, if links is true"),
    ),
  });

type Result = z.input<ReturnType<typeof result>>;

/** A name as an agent sends it: a label, or a domain with its TLD. */
const nameParameter = () =>
  z.pipe(
    z.string({ error: "Send each name as text" }),
    z.transform((text: string, { issues }) => {
      const reading = text.includes(".") ? readDomain(text) : readLabel(text);
      if (reading.kind !== "refused") return reading;
      issues.push(
        invalidIssue("invalid_name", `${reading.why} (got ${JSON.stringify(text)})`, text),
      );
      return z.NEVER;
    }),
  );

/** `check_domain`: several names under several TLDs at once, available ones first. */
export const checkDomainTool = tool({
  name: "check_domain",
  title: "Check domain availability",
  description:
    "Check whether names are available as domains, in DNS and at each TLD's own registry. Send all candidates in one " +
    `call, up to ${MOST_NAMES}; available ones come first. With several names send tlds as well: some registries allow ` +
    "one query per second. unknown is not available: error gives the reason and, if known, when to retry. Cannot " +
    "detect most reserved, brand-blocked or premium names. Each name costs one request of your limit.",
  input: () =>
    z.object({
      names: z.array(nameParameter(), { error: "Send names as a list of names" }).check(
        z.minLength(1, { error: "Send at least one name" }),
        z.maxLength(MOST_NAMES, { error: `Send at most ${MOST_NAMES} names per call` }),
        z.describe("Labels such as acme, checked under each of tlds, or domains such as acme.dev"),
      ),
      tlds: z.optional(
        z.array(tldParameter(), { error: "Send tlds as a list of TLDs" }).check(
          z.minLength(1, { error: "Send at least one TLD, or leave tlds out" }),
          z.maxLength(MOST_TLDS, { error: `Send at most ${MOST_TLDS} TLDs` }),
          z.describe("TLDs of list_tlds, such as com; all of them if absent"),
        ),
      ),
      links: z.optional(
        z.boolean({ error: "Send links as true or false" }).check(
          z.describe("Whether to include registration links and prices of available domains"),
        ),
      ),
    }),
  output: () =>
    z.object({
      free: z.number().check(z.describe("Number of available domains")),
      results: z.array(result()).check(z.describe("Available, then unknown, then the others")),
      totalMs: check.answer().shape.totalMs,
      timestamp: check.answer().shape.timestamp,
    }),
  cost: ({ names }) => names.length,
  async run({ names, tlds, links = false }, services, waiter) {
    const startedAt = performance.now();
    const enabled = await services.tlds.enabled();
    const domains = new Map<string, { label: string; tld: string }>();
    for (const name of names) {
      services.popular.count("domain", name.label);
      for (const tld of name.kind === "domain" ? [name.tld] : tlds ?? enabled) {
        if (!enabled.includes(tld)) throw unsupportedTld(enabled);
        domains.set(`${name.label}.${tld}`, { label: name.label, tld });
      }
    }
    const checking = [...domains.values()].map(({ label, tld }) =>
      services.checkDomain(label, tld, waiter)
    );
    const results: Result[] = (await Promise.all(checking)).toSorted((a, b) => rank(a) - rank(b));
    return {
      free: results.filter(({ available }) => available).length,
      results: links ? await Promise.all(results.map((row) => withLinks(row, services))) : results,
      totalMs: Math.round(performance.now() - startedAt),
      timestamp: services.timestamp(),
    };
  },
  text: ({ free, results }) =>
    [`${free} of ${results.length} available`, ...results.flatMap(linesOf)].join("\n"),
});

async function withLinks(row: Result, services: Services): Promise<Result> {
  if (!row.available) return row;
  const { domain, tld } = row;
  const label = domain.slice(0, -tld.length - 1);
  const { registrars } = await register.run(
    { domain: { kind: "domain", domain, label, tld } },
    services,
  );
  return { ...row, registrars };
}

function rank({ available, error }: Result): number {
  return available ? 0 : error === undefined ? 2 : 1;
}

function linesOf({ registrars = [], ...row }: Result): string[] {
  return [
    `${STATE_ENTRIES[row.state].word} ${row.domain}: ${explain(row)}`,
    ...registrars.map((registrar) => `  ${offerLine(registrar, row)}`),
  ];
}
