import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { DomainResult } from "../../../src/lookup/check_domain.ts";
import type { State } from "../../../src/rules/verdict.ts";
import { ianaTable } from "../../lab/iana_table.ts";
import { whoisEnv } from "../../lab/lab_env.ts";
import { UNSCRIPTED } from "../../lab/names.ts";
import { startRegistrars, type Stock } from "../../lab/registrars.ts";
import { inParallel } from "../../support/in_parallel.ts";
import { isWritten } from "../../support/kv_file.ts";
import { onLab, type World } from "../../support/on_lab.ts";
import type { RunningService } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { FURTHER_SITUATIONS } from "./further_situations.ts";
import { KNOWN_SITUATIONS } from "./known_situations.ts";
import { isRight, type Reply, type Situation, type Truth } from "./situation.ts";

/** Production's are longer. A loaded machine answers within these. */
const TIMEOUTS = {
  rdap: { headMs: 1_500, deadlineMs: 2_000 },
  // A check waits for the registrar, however slow the machine.
  registrars: { lingerMs: 1, deadlineMs: 60_000 },
};

/** What a registrar does with a name. */
const STOCKS: Readonly<Record<Truth, Stock>> = {
  available: "sold",
  premium: "premium",
  reserved: "refused",
  taken: "refused",
};

/** Some wait for a deadline, and more at once would overload the machine. */
const AT_ONCE = 8;

/** Puts the situation into a lab and a service of its own, and asks about its name. */
async function meet(
  situation: Situation,
  { hasWhois, hasRegistrar = false }: { hasWhois: boolean; hasRegistrar?: boolean },
): Promise<Reply> {
  const { name, hosts = {}, movedTo, isWhoisShut = false, truth, ...script } = situation;
  const tld = name.slice(name.indexOf(".") + 1);
  await using registrars = await startRegistrars();
  registrars.stock("porkbun", name, STOCKS[truth]);
  let reply: Reply = "refused";
  await onLab(async (world) => {
    const row = await explained(world, name);
    const strayed = world.lab.requests.filter(({ host }) => host.endsWith("router.lab"));
    assertEquals(strayed, [], `${name} is asked about at its registry only`);
    if (row === undefined) return;
    await checkKept(row, world);
    reply = row.state;
  }, ({ lab }) => {
    // WHOIS knows what is registered, also where RDAP fails.
    lab.script(name, { ...UNSCRIPTED, ...(truth === "taken" && { whois: "record" }), ...script });
    for (const [host, rdap] of Object.entries(hosts)) lab.scriptHost(host, rdap);
    if (movedTo !== undefined) lab.setTable(ianaTable({ [tld]: movedTo }));
    if (isWhoisShut) lab.scriptWhois(tld, "reset");
    const env = {
      TLDS: tld,
      ...(hasWhois && whoisEnv(lab)),
      ...(hasRegistrar && registrars.env("porkbun")),
    };
    return { env, timeouts: TIMEOUTS };
  });
  return reply;
}

/** The status words of a state. */
const STATUSES: Readonly<Record<State, readonly string[]>> = {
  taken: ["undelegated", "active"],
  available: ["undelegated", "inactive"],
  premium: ["undelegated", "inactive", "premium"],
  reserved: ["undelegated"],
  unknown: ["unknown"],
};

/** The row of a name with its evidence; undefined for an invalid name. */
async function explained({ get }: Pick<RunningService, "get">, domain: string) {
  const [label, tld] = domain.split(".");
  const answer = await get(`/check?name=${label}&tld=${tld}&evidence=1`);
  if (answer.status === 400) return undefined;
  const row: DomainResult = answer.body.results[0];
  const { evidence = [], state, status, source, error } = row;
  const isShown = state === "taken" && source.startsWith("dns");
  const words = state === "unknown" ? status.slice(0, 1) : status;
  assertEquals(words, isShown ? ["active"] : STATUSES[state], domain);
  for (const { witness, said, host } of evidence) {
    assert(said.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(said), said);
    // The registrars of the lab have no other name.
    if (!witness.startsWith("registrar")) assertNotMatch(host, /127\.0\.0\.1/);
  }
  assertEquals(state === "unknown", error !== undefined, `${domain} has an error if unknown`);
  if (error !== undefined) {
    assertMatch(error, /^[A-Z][^\n]{10,260}$/);
    assertNotMatch(error, /127\.0\.0\.1|Error|undefined/);
  }
  return row;
}

/** Checks that a row is kept only where it is a fact: in memory with its evidence, in KV for other processes. */
async function checkKept(row: DomainResult, { kv, start, ...service }: World): Promise<void> {
  const { domain, state, source, evidence = [] } = row;
  // What a rule decides stays in memory.
  const isByRule = evidence.some(({ rule }) => rule?.means === "forbidden");
  const isKept = state !== "unknown" && !isByRule;
  if (state !== "unknown") {
    const again = await explained(service, domain);
    const cached = evidence.map((entry) => ({ ...entry, cached: true }));
    const known = { ...row, source: `${source}+cache`, evidence: cached };
    assertEquals<unknown>({ ...again, responseMs: 0 }, { ...known, responseMs: 0 }, domain);
    await until("it is written", async () => isByRule || await isWritten(kv, domain));
    const fromKv = await explained(await start(), domain);
    if (isKept) {
      assertEquals([fromKv?.source, fromKv?.checkedAt], [again?.source, again?.checkedAt]);
    }
    assert(fromKv?.evidence?.every(({ cached }) => cached === isKept), domain);
  }
  const kept = await kv.get(["domain", domain.slice(0, domain.indexOf("."))]);
  assertEquals(kept.value !== null, isKept, domain);
}

const withWhois = ({ answer, byWhois = answer }: Situation) => byWhois;

const withRegistrar = (situation: Situation) => situation.byRegistrar ?? withWhois(situation);

const nameOf = ({ name, what }: Situation) => `${name}: ${what}`;

const GROUPS = [...Object.entries(KNOWN_SITUATIONS), ...Object.entries(FURTHER_SITUATIONS)];

const ALL = GROUPS.flatMap(([, situations]) => situations);

/** Meets the situations, each of which must get the reply of its row. */
async function assertReplies(
  situations: readonly Situation[],
  replyOf: (situation: Situation) => Reply,
  witnesses: Parameters<typeof meet>[1],
): Promise<void> {
  const replies = await inParallel(situations, AT_ONCE, (one) => meet(one, witnesses));
  assertEquals(
    replies.map((reply, place) => [nameOf(situations[place]!), reply]),
    situations.map((one) => [nameOf(one), replyOf(one)]),
  );
}

for (const [kind, situations] of GROUPS) {
  Deno.test(`each situation gets the answer of its row (${kind})`, () =>
    assertReplies(situations, withWhois, { hasWhois: true }));
}

Deno.test("the situations that WHOIS settles get the answers of their rows without WHOIS", () =>
  assertReplies(ALL.filter(({ byWhois }) => byWhois !== undefined), ({ answer }) => answer, {
    hasWhois: false,
  }));

Deno.test("a registrar is asked about what would be available, and changes the answer only where a row says so", () =>
  assertReplies(
    ALL.filter((one) => ["available", "premium"].includes(withWhois(one))),
    withRegistrar,
    { hasWhois: true, hasRegistrar: true },
  ));

Deno.test("of the 95 known situations 63 get the right answer, and all get a wrong one only where a WHOIS server that is not needed or a registrar would tell", () => {
  const known = Object.values(KNOWN_SITUATIONS).flat();
  const right = [withWhois, ({ answer }: Situation) => answer].map((replyTo) =>
    known.filter((one) => isRight(one, replyTo(one))).length
  );
  assertEquals([known.length, ...right], [95, 63, 45]);
  const wrong = (replyTo: (situation: Situation) => Reply) =>
    ALL.filter((one) => replyTo(one) !== "unknown" && !isRight(one, replyTo(one)))
      .map(({ name }) => name).toSorted();
  assertEquals(wrong(withRegistrar), []);
  const left = ["kept-back.dev", "kept-back.tech", "some-brand.ai"];
  assertEquals(wrong(withWhois), left);
  assertEquals(wrong(({ answer }) => answer), ["auctioned.org", "brand.io", "gold.io", ...left]);
});
