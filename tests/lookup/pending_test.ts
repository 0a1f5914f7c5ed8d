import { assert, assertEquals } from "@std/assert";
import type { Pending, Waiter } from "../../src/flow/cache/flight.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import { checksBy } from "../support/checks.ts";
import { FakeTime } from "../support/fake_time.ts";
import { withService } from "../support/with_service.ts";

function waiterOf(got: Pending[]): Waiter {
  return { signal: new AbortController().signal, onPending: (pending) => void got.push(pending) };
}

Deno.test("checkDomain() reports the question to the registry to each waiting client, also to one that comes later", async () => {
  using _ = new FakeTime(0);
  const answer = Promise.withResolvers<RdapAnswer>();
  const asked = Promise.withResolvers<void>();
  const { checkDomain } = checksBy({
    sources: {
      isDelegated: (domain) =>
        Promise.resolve({ kind: domain.startsWith("taken") ? "delegated" : "none", askedAt: 0 }),
      registries: {
        ask(_base, _domain, wait) {
          wait?.onQueue?.({ host: "registry.example", expectedMs: 7, why: "" });
          asked.resolve();
          return answer.promise;
        },
      },
    },
    now: () => 0,
  });
  const got: Pending[][] = [[], [], [], []];
  const [first = [], second = [], later = [], taken = []] = got;
  const rows = [
    checkDomain("new", "com", waiterOf(first)),
    checkDomain("new", "com", waiterOf(second)),
    checkDomain("new", "com"),
    checkDomain("taken", "com", waiterOf(taken)),
  ];
  await asked.promise;
  rows.push(checkDomain("new", "com", waiterOf(later)));
  answer.resolve({ kind: "notFound", askedAt: 0, statements: [] });
  await Promise.all(rows);
  const pending = { domain: "new.com", tld: "com", host: "registry.example", expectedAt: 7 };
  assertEquals(got, [[pending], [pending], [pending], []]);
});

Deno.test("server-sent events have a pending event before the row of each name that is not in DNS; NDJSON has none", () =>
  withService(async ({ url, services }) => {
    await services.renewCanaries();
    const read = async (label: string, accept: string) =>
      await (await fetch(`${url}/check?name=${label}`, { headers: { accept } })).text();
    const events = (await read("mixed", "text/event-stream")).trimEnd().split("\n\n").map(
      (text) => {
        const [name = "", data = ""] = text.split("\n");
        return {
          name: name.slice("event: ".length),
          data: JSON.parse(data.slice("data: ".length)),
        };
      },
    );
    const pendings = events.filter(({ name }) => name === "pending").map(({ data }) => data);
    assertEquals(pendings.map(({ domain, tld, host }) => [domain, tld, host]).toSorted(), [
      ["mixed.net", "net", "rdap.verisign.com"],
      ["mixed.xyz", "xyz", "rdap.centralnic.com"],
    ]);
    assert(pendings.every(({ expectedMs }) => expectedMs >= 0), JSON.stringify(pendings));
    for (const { domain } of pendings) {
      const of = events.filter(({ data }) => data.domain === domain).map(({ name }) => name);
      assertEquals(of, ["pending", "result"]);
    }
    assertEquals(events.length, 3 + 2 + 1);
    assertEquals(events.at(-1)?.name, "summary");
    // What is cached is not asked again.
    assertEquals((await read("mixed", "text/event-stream")).includes("event: pending"), false);
    const lines = (await read("mixed-2", "application/x-ndjson")).trimEnd().split("\n");
    assertEquals(lines.map((line) => Object.keys(JSON.parse(line))[0]), [
      "domain",
      "domain",
      "domain",
      "name",
    ]);
  }, { TLDS: "com,net,xyz" }));
