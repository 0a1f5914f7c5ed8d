import { assertEquals } from "@std/assert";
import { SUITE_FAULTS } from "./faults.ts";
import type { Run } from "./history.ts";
import { createLoad } from "./load.ts";
import { classOf, labelOf } from "./population.ts";
import { createRandom } from "./random.ts";

const RUN: Run = {
  slot: 0,
  run: 1,
  from: 0,
  to: Infinity,
  readyAt: 0,
  endingAt: Infinity,
  offsets: [],
};
const KINDS = ["dark", "free", "hot", "legal", "premium", "reserved", "taken", "withheld"];

Deno.test("createLoad() requests a name of each kind first, to the end, when few requests are answered", async () => {
  await using server = Deno.serve({ port: 0, onListen: () => {} }, () => {
    return Response.json({ results: [] });
  });
  const target = { run: RUN, url: `http://127.0.0.1:${server.addr.port}`, command: () => {} };
  const nothing = () => {};
  for (let seed = 0; seed < 20; seed++) {
    const stop = new AbortController();
    const labels = new Set<string>();
    let cuts = 0;
    const load = createLoad({
      random: createRandom(seed),
      faults: SUITE_FAULTS.filter((fault) => fault !== "births"),
      targets: () => [target],
      watch: {
        asked(domain) {
          labels.add(labelOf(domain));
          if (labels.size === KINDS.length) stop.abort();
        },
        row: nothing,
        lost: nothing,
        wrong: nothing,
        hung: nothing,
        cut: () => void cuts++,
        unanswered: nothing,
      },
      now: () => 0,
    });
    await load.run(1, { slots: 1, stop: stop.signal, leave: new AbortController().signal });
    const kinds = Array.from(labels, (label) => classOf(`${label}.com`) ?? "?");
    assertEquals({ kinds: kinds.toSorted(), cuts }, { kinds: KINDS, cuts: 0 });
  }
});
