import { assert, assertEquals } from "@std/assert";
import { ianaTable } from "../../lab/iana_table.ts";
import { startLab } from "../../lab/lab.ts";
import { REGISTRIES } from "../../lab/registries.ts";
import { inParallel } from "../../support/in_parallel.ts";
import { startService } from "../../support/service.ts";
import { FURTHER_SITUATIONS } from "./further_situations.ts";
import { KNOWN_SITUATIONS } from "./known_situations.ts";
import { RESERVED_NAMES } from "./reserved_names.ts";
import { isRight, isWrong, type Reply, type Situation, USUAL } from "./situation.ts";

/** Production's are longer. A loaded machine answers within these. */
const TIMEOUTS = { rdap: { headMs: 1_500, deadlineMs: 2_000 } };

/** Some wait for a deadline, and more at once would overload the machine. */
const AT_ONCE = 8;

/** Puts the situation into a lab and a service of its own, and asks about its name. */
async function meet({ name, hosts = {}, movedTo, ...script }: Situation): Promise<Reply> {
  await using lab = await startLab();
  const [label = "", tld = ""] = name.split(".");
  lab.script(name, { ...USUAL, ...script });
  for (const [host, rdap] of Object.entries(hosts)) lab.scriptHost(host, rdap);
  if (movedTo !== undefined) {
    lab.setTable(JSON.stringify(ianaTable(REGISTRIES, { moved: { [tld]: movedTo } })));
  }
  await using service = await startService(lab, { env: { TLDS: tld }, timeouts: TIMEOUTS });
  const { status, body } = await service.get(`/check?name=${label}&tld=${tld}`);
  return status === 400 ? "refused" : body.results[0].state;
}

const nameOf = ({ name, what }: Situation) => `${name}: ${what}`;

const GROUPS: Readonly<Record<string, readonly Situation[]>> = {
  ...prefixed("known", KNOWN_SITUATIONS),
  ...prefixed("further", FURTHER_SITUATIONS),
  "reserved names": RESERVED_NAMES,
};

function prefixed(word: string, groups: Readonly<Record<string, readonly Situation[]>>) {
  return Object.fromEntries(
    Object.entries(groups).map(([kind, rows]) => [`${word}: ${kind}`, rows]),
  );
}

for (const [kind, situations] of Object.entries(GROUPS)) {
  Deno.test(`each situation gets the answer of its row (${kind})`, async () => {
    const replies = await inParallel(situations, AT_ONCE, meet);
    assertEquals(
      replies.map((reply, place) => [nameOf(situations[place]!), reply]),
      situations.map((situation) => [nameOf(situation), situation.answer]),
    );
  });
}

Deno.test("each situation has a name of its own", () => {
  for (const situations of [...Object.values(GROUPS)]) {
    const names = situations.map(({ name }) => name);
    assertEquals(names.filter((name, place) => names.indexOf(name) !== place), []);
  }
});

Deno.test("most of the 95 known situations get the right answer, and only one a wrong one", () => {
  const known = Object.values(KNOWN_SITUATIONS).flat();
  assertEquals(known.length, 95);
  const right = known.filter((situation) => isRight(situation, situation.answer));
  const wrong = known.filter((situation) => isWrong(situation, situation.answer));
  assert(right.length >= 45, `${right.length} are right`);
  assertEquals(wrong.map(nameOf), [
    "brand.io: only WHOIS says GlobalBlock",
    "auctioned.org: only WHOIS says Dropzone",
    "kept-back.dev: on no list, and the 404 says nothing",
  ]);
});

Deno.test("no further situation gets a wrong answer", () => {
  const further = Object.values(FURTHER_SITUATIONS).flat();
  assertEquals(further.filter((one) => isWrong(one, one.answer)).map(nameOf), []);
});
