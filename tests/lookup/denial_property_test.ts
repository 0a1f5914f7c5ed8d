import { assert, assertEquals } from "@std/assert";
import { IS_LONG_RUN } from "../support/long_run.ts";
import { createRandom, type Random } from "../support/random.ts";
import { REGISTRIES, type Registry } from "../lab/registries.ts";
import { notFoundReply } from "../lab/registry_replies.ts";
import { rdapTestReply } from "../../src/rules/tested_server.ts";
import { readNotice } from "../../src/rules/readers/notices.ts";
import { readReply } from "../../src/rules/readers/registry_reply.ts";
import type { AskedName } from "../../src/rules/readers/statements.ts";
import { addTemplate, differences, type Template } from "../../src/rules/readers/templates.ts";

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Body = { [member: string]: Json };

/** A registry of the lab whose 404 also shows the name, its time and what varies from one answer to the next. */
interface Varying {
  readonly registry: Registry;
  readonly tld: string;
  /** How many of two wordings its servers have. */
  readonly wordings: number;
  readonly random: Random;
}

const START = Date.UTC(2026, 10, 23, 12);
const DAY_MS = 24 * 60 * 60_000;

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";

function signs(random: Random, length: number, of: string): string {
  return Array.from({ length }, () => random.pick([...of])).join("");
}

/** A clean 404 of the registry. The values of `varies` vary; the others never do. */
function honestBody({ registry, wordings, random }: Varying, name: AskedName): Body {
  const { label, domain, askedAt = 0 } = name;
  const { body = {} } = notFoundReply(registry, domain) as { body?: Body };
  const hex = (length: number) => signs(random, length, `${DIGITS}abcdef`);
  return {
    ...structuredClone(body),
    errorCode: body.errorCode ?? 404,
    echo: [domain.toUpperCase(), `The label ${label} is free of entries.`],
    links: [{
      rel: "self",
      href: `https://rdap.example/domain/${domain}`,
      type: "application/rdap+json",
    }],
    standing: {
      limit: 25,
      tiers: [1, 2, { kind: "none" }],
      empty: {},
      none: [],
      flag: false,
      gap: null,
    },
    words: random.pick(["No entry was found.", "Nothing is registered."].slice(0, wordings)),
    varies: {
      answered: new Date(askedAt).toISOString(),
      request: [8, 4, 4, 4, 12].map(hex).join("-"),
      trace: `trace ${hex(16)}`,
      serial: Math.floor(random.between(1, 1e9)),
      served: `Query ${Math.floor(random.between(1, 1e6))} of today`,
      ray: `ray ${signs(random, 36, `${UPPER}${LOWER}${DIGITS}+/`)}.`,
      ticket: signs(random, 2, UPPER) + signs(random, 6, DIGITS),
      address: random.pick(["203.0.113.5", "198.51.100.77", "2001:db8::7:1"]),
    },
  };
}

function asked(label: string, tld: string, askedAt: number): AskedName {
  return { label, domain: `${label}.${tld}`, askedAt };
}

function answerTo(body: Body, { domain, askedAt = 0 }: AskedName) {
  return readReply({
    status: 404,
    contentType: "application/rdap+json",
    retryAfter: null,
    age: null,
    body: JSON.stringify(body),
  }, { domain, policy: { emptyNotFound: true }, askedAt, now: askedAt });
}

/** What the service makes of a 404; undefined if it is no well-formed one. */
function noticeOf(body: Body, name: AskedName, templates: readonly Template[]) {
  const answer = answerTo(body, name);
  if (answer.kind !== "notFound") return undefined;
  return readNotice(differences(answer.statements, name, templates), name).kind;
}

/** The templates with the 404 for a random name. */
function learn(templates: readonly Template[], varying: Varying, length: number, at: number) {
  const name = asked(signs(varying.random, length, LOWER), varying.tld, at);
  const reply = rdapTestReply(answerTo(honestBody(varying, name), name), name);
  assert(reply.kind === "denial");
  return addTemplate(templates, reply.template);
}

const LABELS = ["river-stone", "not", "found", "domain", "terms", "service", "7", "a1", "registry"];

function registries(random: Random): Varying[] {
  return REGISTRIES.flatMap((registry) => {
    const [tld = ""] = Object.keys(registry.bases);
    return [1, 2].map((wordings) => ({ registry, tld, wordings, random }));
  });
}

/** The places of all values of a body, those that vary left out. */
function places(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (path[0] === "varies") return [];
  const below = typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([member, item]) => {
      const place = Array.isArray(value) ? Number(member) : member;
      return places(item, [...path, place]);
    });
  return path.length > 0 ? [path, ...below] : below;
}

// deno-lint-ignore no-explicit-any -- any JSON can stand at a place
type Any = any;

const WORDS = ["held", "kept", "gesperrt", "保留", "vergeben", "phase", "1", "true"];

function at(body: Any, path: readonly (string | number)[]): Any {
  return path.reduce((value, member) => value[member], body);
}

/** Replaces one value of a body for which the condition holds; `undefined` removes it. */
function replace(
  body: Any,
  random: Random,
  isIt: (value: Any, path: readonly (string | number)[]) => boolean,
  by: (value: Any) => Any,
): void {
  const found = places(body).filter((path) => isIt(at(body, path), path));
  if (found.length === 0) return void (body.held = []);
  const path = random.pick(found);
  const [parent, last] = [at(body, path.slice(0, -1)), path.at(-1) ?? ""];
  const value = by(parent[last]);
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}

const isAny = () => true;
const isText = (value: Any) => typeof value === "string";
const isNumber = (value: Any) => typeof value === "number";
const isObject = (value: Any) => typeof value === "object" && value && !Array.isArray(value);

function ofOtherType(value: Any): Any {
  if (Array.isArray(value)) return { ...value };
  return isText(value) ? [value] : `${value}`;
}

/** Changes one thing of a body. */
const CHANGES: Readonly<Record<string, (body: Any, random: Random) => void>> = {
  "a member is added": (body, random) => {
    const objects = places(body).map((path) => at(body, path)).filter(isObject);
    const value = random.pick([1, "x", true, null, {}, [], [{}]]);
    random.pick([body, ...objects])[random.pick(WORDS)] = value;
  },
  "an item is added": (body, random) =>
    replace(body, random, Array.isArray, (list) => [...list, random.pick(["x", "", 7, {}, []])]),
  "a value is removed": (body, random) =>
    replace(body, random, (_, path) => path[0] !== "errorCode", () => undefined),
  "a value gets another type": (body, random) => replace(body, random, isAny, ofOtherType),
  "a value is nested": (body, random) =>
    replace(body, random, isAny, (value) => random.pick([[[value]], { x: value }])),
  "a text gets another word": (body, random) =>
    replace(body, random, isText, (text) => {
      const words = text.split(" ");
      words[Math.floor(random.next() * words.length)] = random.pick(WORDS);
      return words.join(" ");
    }),
  "a number gets another value": (body, random) =>
    replace(body, random, isNumber, (number) => number + random.pick([1, -1, 1000])),
  "what varies is of another kind": ({ varies }, random) => {
    const member = random.pick(Object.keys(varies));
    varies[member] = random.pick([
      ...WORDS.slice(0, 6),
      "RESERVED_BY_SPEC5",
      "HELD2031",
      "Premium name, kept by the operator",
      null,
      [],
      {},
      [varies[member]],
      `${varies[member]} held`,
    ]);
  },
  "a text speaks of a premium price, and of more": (body, random) =>
    replace(
      body,
      random,
      isText,
      (text) => `${text} This premium name is ${random.pick(WORDS.slice(0, 5))}.`,
    ),
  "two items change places": (body) => body.echo.reverse(),
};

/** `deno task test:all` changes ten times as many. */
const MANY = IS_LONG_RUN ? 20_000 : 2_000;

Deno.test("no changed 404 is as plain as that for a random name, at registries whose 404s vary", () => {
  const random = createRandom(20_261_123);
  let changed = 0;
  for (let round = 0; changed < MANY; round++) {
    for (const varying of registries(random)) {
      let templates: readonly Template[] = [];
      for (const length of [24, 12, 24, 12, 24, 12]) {
        templates = learn(templates, varying, length, START);
      }
      for (const [kind, by] of Object.entries(CHANGES)) {
        const name = asked(random.pick(LABELS), varying.tld, START + random.between(0, DAY_MS));
        const body = honestBody(varying, name);
        const before = JSON.stringify(body);
        by(body, random);
        if (JSON.stringify(body) === before) continue;
        changed++;
        const notice = noticeOf(body, name, templates);
        if (notice === "plain" || notice === "premium") {
          assertEquals(notice, "unread", `${kind}, round ${round}: ${JSON.stringify(body)}`);
        }
      }
    }
  }
});

Deno.test("every honest 404 is plain, at another time and day and from either wording, and few cost a further random name", () => {
  const random = createRandom(20_261_124);
  let asks = 0;
  let count = 0;
  for (const varying of registries(random)) {
    let templates: readonly Template[] = [];
    // The two names of each hourly test, for half a day.
    for (let hour = 0; hour < 12; hour++) {
      for (const length of [24, 12]) {
        templates = learn(templates, varying, length, START + hour * DAY_MS / 24);
      }
    }
    for (let round = 0; round < MANY / 40; round++) {
      count++;
      const askedAt = START + random.between(DAY_MS / 2, 3 * DAY_MS);
      const name = asked(random.pick(LABELS), varying.tld, askedAt);
      const body = honestBody(varying, name);
      if (noticeOf(body, name, templates) === "plain") continue;
      asks++;
      for (let more = 0; noticeOf(body, name, templates) !== "plain" && more < 3; more++) {
        templates = learn(templates, varying, 12, name.askedAt ?? 0);
      }
      assertEquals(noticeOf(body, name, templates), "plain", JSON.stringify(body));
    }
  }
  assert(asks / count < 1 / 1_000, `${asks} of ${count}`);
});
