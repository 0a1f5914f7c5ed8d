import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import type { DnsBehaviourKind } from "../lab/dns_behaviour.ts";
import { startLab } from "../lab/lab.ts";
import type { RdapBehaviour } from "../lab/rdap_behaviours.ts";
import { stateOf } from "../../src/rules/verdict.ts";
import { inParallel } from "../support/in_parallel.ts";
import { isWritten } from "../support/kv_file.ts";
import { until } from "../support/until.ts";
import { type RunningService, startService } from "../support/service.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";

type Outcome = "taken" | "registered" | "free" | "premium" | "reserved" | "unknown";

const OUTCOMES: Readonly<
  Record<Outcome, Pick<DomainResult, "available" | "status" | "premium" | "source">>
> = {
  taken: { available: false, status: ["active"], premium: false, source: "dns" },
  registered: {
    available: false,
    status: ["undelegated", "active"],
    premium: false,
    source: "rdap",
  },
  free: { available: true, status: ["undelegated", "inactive"], premium: false, source: "rdap" },
  premium: {
    available: true,
    status: ["undelegated", "inactive", "premium"],
    premium: true,
    source: "rdap",
  },
  reserved: { available: false, status: ["undelegated"], premium: false, source: "rdap" },
  unknown: { available: false, status: ["unknown"], premium: false, source: "rdap" },
};

interface Row {
  dns: DnsBehaviourKind;
  rdap: RdapBehaviour;
  /** The TLD, which decides the host policy. */
  tld: string;
  outcome: Outcome;
  label?: string;
}

// deno-fmt-ignore -- a table
const ROWS: Row[] = [
  // DNS: only an answer with name servers decides anything.
  { dns: "delegated", rdap: "free", tld: "com", outcome: "taken" },
  { dns: "referral", rdap: "free", tld: "com", outcome: "taken" },
  { dns: "truncated", rdap: "free", tld: "com", outcome: "taken" },
  { dns: "nxdomain", rdap: "free", tld: "com", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "com", outcome: "free", label: "xn--bcher-kva" },
  // Registries return 404 for names that they can never register.
  { dns: "nxdomain", rdap: "free", tld: "com", outcome: "reserved", label: "xn--ls8h" },
  { dns: "nxdomain", rdap: "free", tld: "com", outcome: "reserved", label: "xn--xn---epa" },
  { dns: "nodata", rdap: "free", tld: "com", outcome: "free" },
  { dns: "servfail", rdap: "registered", tld: "com", outcome: "registered" },
  { dns: "refused", rdap: "registered", tld: "com", outcome: "registered" },
  { dns: "silent", rdap: "registered", tld: "com", outcome: "registered" },
  { dns: "silent", rdap: "free", tld: "com", outcome: "unknown" },
  { dns: "garbage", rdap: "free", tld: "com", outcome: "unknown" },
  { dns: "wrongId", rdap: "free", tld: "com", outcome: "unknown" },
  // A registration, with any status words.
  { dns: "nxdomain", rdap: "registered", tld: "com", outcome: "registered" },
  { dns: "nxdomain", rdap: "registeredNoStatus", tld: "com", outcome: "registered" },
  { dns: "nxdomain", rdap: "registeredUndelegated", tld: "dev", outcome: "registered" },
  { dns: "nxdomain", rdap: "pendingDelete", tld: "online", outcome: "registered" },
  { dns: "nxdomain", rdap: "redemption", tld: "org", outcome: "registered" },
  { dns: "nxdomain", rdap: "serverHold", tld: "xyz", outcome: "registered" },
  // Each registry's own clean 404.
  { dns: "nxdomain", rdap: "free", tld: "net", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "cc", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "io", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "org", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "app", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "xyz", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "store", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "cloud", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "bot", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "biz", outcome: "free" },
  { dns: "nxdomain", rdap: "free", tld: "tv", outcome: "free" },
  { dns: "nxdomain", rdap: "tosTrap", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "redirectSameHost", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "redirectOtherName", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "redirectUserinfo", tld: "dev", outcome: "unknown" },
  // Words in a 404.
  { dns: "nxdomain", rdap: "premium", tld: "online", outcome: "premium" },
  { dns: "nxdomain", rdap: "platinum", tld: "org", outcome: "premium" },
  { dns: "nxdomain", rdap: "expiryAccessPeriod", tld: "dev", outcome: "reserved" },
  { dns: "nxdomain", rdap: "reserved", tld: "online", outcome: "reserved" },
  { dns: "nxdomain", rdap: "blockedBsa", tld: "dev", outcome: "reserved" },
  { dns: "nxdomain", rdap: "globalblock", tld: "app", outcome: "reserved" },
  { dns: "nxdomain", rdap: "dropzone", tld: "org", outcome: "reserved" },
  { dns: "nxdomain", rdap: "dpml", tld: "online", outcome: "reserved" },
  { dns: "nxdomain", rdap: "restricted", tld: "org", outcome: "reserved" },
  { dns: "nxdomain", rdap: "unsupportedTld", tld: "online", outcome: "unknown" },
  // The list of names that a registry reserves without saying so.
  { dns: "nxdomain", rdap: "free", tld: "dev", label: "example", outcome: "reserved" },
  { dns: "nxdomain", rdap: "free", tld: "dev", label: "d", outcome: "reserved" },
  { dns: "delegated", rdap: "registered", tld: "com", label: "test", outcome: "taken" },
  // All other answers.
  { dns: "nxdomain", rdap: "rateLimited", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "rateLimitedSeconds", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "rateLimitedDate", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "unavailable503", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "error500", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "forbidden403", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "badRequest400", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "html404", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "html200", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "empty404", tld: "com", outcome: "free" },
  { dns: "nxdomain", rdap: "empty404", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "empty200", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "badJson404", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "badJson200", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "notFound200", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "marks404", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "wrongErrorCode", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "wrongName200", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "wrongClass200", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "redirectOffHost", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "redirectLoop", tld: "dev", outcome: "unknown" },
  { dns: "nxdomain", rdap: "silent", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "drip", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "flood100", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "flood103", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "cut", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "cutHeader", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "garbage", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "oversized", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "gzipBomb", tld: "com", outcome: "unknown" },
  { dns: "nxdomain", rdap: "reset", tld: "com", outcome: "unknown" },
];

/** Production's are longer. A loaded machine answers within these. */
const TIMEOUTS = { rdap: { headMs: 1_500, deadlineMs: 2_000 } };

/** Checks the row's name on a separate service: a host's faults must not affect the next row. */
async function checkRow({ dns, rdap, tld, label = "name" }: Row): Promise<DomainResult> {
  await using lab = await startLab();
  lab.script(`${label}.${tld}`, { dns, rdap });
  const kv = await Deno.openKv(":memory:");
  await using service = await startService(lab, { kv, timeouts: TIMEOUTS });
  const withEvidence = await explained(service, `${label}.${tld}`);
  const { evidence: _, ...result } = withEvidence;
  const isUnknown = result.status.includes("unknown");
  assertEquals(isUnknown, result.error !== undefined, `${rdap}: an error is for what is unknown`);
  const again = isUnknown ? undefined : await service.check(`${label}.${tld}`);
  assertEquals(again?.source, isUnknown ? undefined : `${result.source}+cache`, rdap);
  // What a rule decides stays in memory.
  const isByRule = withEvidence.evidence?.some(({ rule }) => rule?.means === "forbidden") ?? false;
  if (again !== undefined) {
    assertEquals("evidence" in again, false);
    const fromMemory = await explained(service, `${label}.${tld}`);
    const cached = withEvidence.evidence?.map((entry) => ({ ...entry, cached: true }));
    assertEquals(fromMemory.evidence, cached, rdap);
    // As another process on the same KV has it, once the finding has been written.
    await until("it is written", async () => isByRule || await isWritten(kv, `${label}.${tld}`));
    await using other = await startService(lab, { kv: shared(kv) });
    const fromKv = await explained(other, `${label}.${tld}`);
    if (!isByRule) {
      assertEquals([fromKv.source, fromKv.checkedAt], [again.source, again.checkedAt]);
    }
    assert(fromKv.evidence?.every(({ cached }) => cached !== isByRule));
  }
  const kept = await kv.get(["domain", label]);
  assertEquals(
    kept.value === null,
    isUnknown || isByRule,
    `${rdap} is kept only where it is a fact`,
  );
  return result;
}

/** The row with its evidence, from which alone its verdict follows. */
async function explained(service: RunningService, domain: string): Promise<DomainResult> {
  const [label, tld] = domain.split(".");
  const { body } = await service.get(`/check?name=${label}&tld=${tld}&evidence=1`);
  const row: DomainResult = body.results[0];
  const { evidence = [], state, available, status, premium, source } = row;
  const verdict = verdictOfEntries(evidence);
  assertEquals(
    [stateOf(verdict), verdict.available, verdict.status, verdict.premium, verdict.source],
    [state, available, status, premium, source.replace("+cache", "")],
    JSON.stringify(evidence),
  );
  for (const { said, host } of evidence) {
    assertEquals(said.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(said), true, said);
    assertNotMatch(host, /127\.0\.0\.1/);
  }
  return row;
}

/** The KV for another service, which must not close it. */
function shared(kv: Deno.Kv): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "close") return () => {};
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Checks rows, eight at a time: some wait for a deadline, and more would overload the machine. */
const checkRows = (rows: readonly Row[]) => inParallel(rows, 8, checkRow);

function nameOf({ dns, rdap, tld, label = "name" }: Row): string {
  return `${label}.${tld}: DNS ${dns}, RDAP ${rdap}`;
}

Deno.test("each answer of DNS and of a registry, on real sockets, gives the documented verdict, with an error of one line and without internal names", async () => {
  const results = await checkRows(ROWS);
  const found = results.map(({ available, status, premium, source }, place) => ({
    row: nameOf(ROWS[place]!),
    available,
    status,
    premium,
    source,
  }));
  assertEquals(found, ROWS.map((row) => ({ row: nameOf(row), ...OUTCOMES[row.outcome] })));
  for (const { error } of results) {
    if (error === undefined) continue;
    assertMatch(error, /^[A-Z][^\n]{10,260}$/);
    assertNotMatch(error, /127\.0\.0\.1|Error|undefined/);
  }
});
