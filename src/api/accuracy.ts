import * as z from "zod/mini";
import {
  addTldHours,
  type DatedHour,
  hourOfTld,
  type Incident,
  type TldHour,
  unknownAnswers,
} from "../rules/accuracy.ts";
import { STATES } from "../rules/verdict.ts";
import { operation } from "./operation.ts";
import { tldParameter } from "./parameters.ts";
import { TRUTH_TABLE } from "./truth_table.ts";
import { requireSuffix } from "./check.ts";

const counts = () => ({
  answers: z.number().check(z.describe("Look-ups; answers from the cache are not counted")),
  unknown: z.number().check(z.describe("How many of them were unknown")),
  averageMs: z.optional(z.number().check(z.describe("Average time of the registry's answers"))),
});

/** The most TLDs that are shown because clients have had them tested: there are over a thousand. */
const MAX_OTHERS = 200;

/** `GET /accuracy`: what look-ups of the last 24 hours show about each registry, and about our answers. */
export const accuracy = operation({
  name: "accuracy",
  path: "/accuracy",
  chapter: "service",
  summary: "Get how reliable each registry was in the last 24 hours",
  description:
    "By TLD, the enabled ones first, then others that were tested: the result of the registry's last test and its " +
    'wording of "not found", the look-ups and how many of them were unknown and why, and the registry\'s time, hour by ' +
    "hour. Then the incidents: names on which two witnesses " +
    "disagreed (hashed), and registries whose `available` answers were withdrawn because they failed a test. The truth " +
    "table shows what leads to which state; the service's tests check each of its rows. The counts are those of all " +
    "processes, up to a minute late. As `text/html` it is a page.",
  query: () => z.object({ tld: z.optional(tldParameter()) }),
  answer: () =>
    z.object({
      since: z.iso.datetime(),
      tlds: z.array(z.object({
        tld: z.string(),
        test: z.optional(z.object({
          state: z.enum(["passed", "failed", "doubted", "undecided"]),
          testedAt: z.iso.datetime(),
          wordings: z.readonly(z.array(z.readonly(z.array(z.string())))).check(
            z.describe(
              "The registry's texts for a random name; `<…>` stands for the name and for what varies",
            ),
          ),
        })),
        ...counts(),
        causes: z.record(z.string(), z.number()).check(z.describe("Unknown answers by cause")),
        hours: z.array(z.object({ startsAt: z.iso.datetime(), ...counts() })).check(
          z.describe("The hours with look-ups"),
        ),
      })),
      incidents: z.array(z.object({
        at: z.iso.datetime(),
        tld: z.string(),
        kind: z.enum(["disagreement", "withdrawal"]),
        about: z.string().check(
          z.describe("The two witnesses and the hash of the name, or why the registry failed"),
        ),
      })),
      truthTable: z.array(z.object({ finding: z.string(), state: z.enum(STATES) })),
      timestamp: z.iso.datetime(),
    }),
  errors: ["unsupported_tld", "invalid_parameter"],
  async run({ tld }, { tlds, suffixes, health, lastDay, timestamp }) {
    if (tld !== undefined) await requireSuffix(tld, { suffixes });
    const hours = await lastDay();
    const tests = new Map(health.canaries().map(({ tld, ...test }) => [tld, test]));
    const enabled = await tlds.enabled();
    const others = [...tests.keys()].filter((tld) => !enabled.includes(tld)).toSorted();
    const asked = tld === undefined ? [...enabled, ...others.slice(0, MAX_OTHERS)] : [tld];
    return {
      since: new Date(hours[0]?.startsAt ?? 0).toISOString(),
      tlds: asked.map((tld) => ({ tld, test: tests.get(tld), ...summarize(tld, hours) })),
      incidents: hours.flatMap(({ incidents }) => incidents)
        .filter((incident) => asked.includes(incident.tld))
        .toSorted((a, b) => b.at - a.at)
        .map(toIncident),
      truthTable: TRUTH_TABLE.map(({ finding, state }) => ({ finding, state })),
      timestamp: timestamp(),
    };
  },
});

/** The answer. */
export type Accuracy = z.output<ReturnType<typeof accuracy["answer"]>>;

function summarize(tld: string, hours: readonly DatedHour[]) {
  const own = hours.flatMap((all) => {
    const hour = hourOfTld(all, tld);
    return hour === undefined ? [] : [{ startsAt: all.startsAt, hour }];
  });
  const day = own.reduce<TldHour | undefined>((sum, { hour }) => addTldHours(sum, hour), undefined);
  return {
    ...countsOf(day ?? { answers: 0, unknown: {}, asked: 0, askedMs: 0 }),
    causes: { ...day?.unknown },
    hours: own.map(({ startsAt, hour }) => ({
      startsAt: new Date(startsAt).toISOString(),
      ...countsOf(hour),
    })),
  };
}

function countsOf(hour: TldHour) {
  const { answers, asked, askedMs } = hour;
  const averageMs = Math.round(askedMs / asked);
  return { answers, unknown: unknownAnswers(hour), ...(asked > 0 && { averageMs }) };
}

function toIncident(incident: Incident) {
  const { at, tld, kind } = incident;
  const about = incident.kind === "withdrawal"
    ? incident.why
    : `${incident.between} on the name with hash ${incident.name}`;
  return { at: new Date(at).toISOString(), tld, kind, about };
}
