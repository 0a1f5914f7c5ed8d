/** `/accuracy` as a page: one sentence, then each registry with the chart of its day, which a table repeats in numbers. */
import { html } from "hono/html";
import { STATE_ENTRIES } from "../../static/vocabulary.js";
import type { Accuracy } from "../api/accuracy.ts";
import { documentOf, titlesOf } from "./document.ts";
import type { Html } from "./table.ts";

type Tld = Accuracy["tlds"][number];

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Of a chart, in units of its viewBox. */
const [HOUR_WIDTH, HEIGHT] = [8, 36];

/** Causes that are ours, and not the registries': no question was sent. */
const OURS = new Set(["registry_unasked", "dns_only"]);
/** What the causes are called; others are shown as they are. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ["registry_unasked", "our queue was full"],
  ["dns_only", "only DNS was to be asked"],
  ["registry_limited", "the registry asked for fewer requests"],
  ["registry_down", "the registry did not answer"],
  ["registry", "the registry did not answer"],
  ["registry_unclear", "its answer was unclear"],
  ["canary_failed", "it failed its test"],
  ["canary_doubted", "it was being tested again"],
  ["canary_undecided", "it could not be tested"],
  ["unlisted", "no server is known"],
  ["unsupported", "its server does not serve the TLD"],
  ["dns", "DNS did not answer"],
  ["policy", "its rules for such names are not known"],
  ["just_dropped", "just dropped, and may be held back"],
  ["notice", "a text that no rule reads"],
  ["whois", "its WHOIS disagreed"],
]);

/** Renders the whole document. */
export function accuracyPage({ tlds, incidents, truthTable, timestamp }: Accuracy): string {
  const title = "How sure the answers are";
  return documentOf(
    title,
    html`
      <p><a href="/">Check a name</a></p>
      <h1>${title}</h1>
      <p class="lead">${sentenceOf(tlds)}</p>
      <p class="quiet">${periodOf(tlds, timestamp)}</p>
      <h2>Registries</h2>
      <table class="registries">
        ${titlesOf(
          "TLD",
          "Sure",
          "Unknown, by the registry or DNS",
          "Not asked, by us",
          "Answers in",
          "Last test",
          "Look-ups by hour",
        )}
        <tbody>${tlds.map((tld) => rowOf(tld, Date.parse(timestamp)))}</tbody>
      </table>
      <h2>Incidents</h2>
      ${incidents.length === 0 ? html`<p>None.</p>` : html`<ul>${incidents.map(incidentOf)}</ul>`}
      <h2>What leads to which answer</h2>
      <table class="findings">
        ${titlesOf("Finding", "Answer")}
        <tbody>${truthTable.map(({ finding, state }) =>
          html`
            <tr data-state="${state}">
              <td>${finding[0]?.toUpperCase()}${finding.slice(1)}</td>
              <td><span class="state">${STATE_ENTRIES[state].word}</span></td>
            </tr>
          `
        )}</tbody>
      </table>
    `,
  );
}

/** How many answers were unknown because no question was sent, and how many for other reasons. */
function unknownOf({ causes, unknown }: Pick<Tld, "causes" | "unknown">) {
  const ours = Object.entries(causes).filter(([cause]) => OURS.has(cause))
    .reduce((sum, [, count]) => sum + count, 0);
  return { ours, theirs: unknown - ours };
}

function sentenceOf(tlds: readonly Tld[]): string {
  const sum = (countOf: (tld: Tld) => number) => tlds.reduce((all, tld) => all + countOf(tld), 0);
  const [answers, ours, theirs] = [
    sum(({ answers }) => answers),
    sum((tld) => unknownOf(tld).ours),
    sum((tld) => unknownOf(tld).theirs),
  ];
  if (answers === 0) return "No name has been looked up yet.";
  const asked = answers - ours;
  const sure = asked === 0 ? "No registry was asked" : `${shareOf(asked - theirs, asked)} of the ` +
    `${asked} look-ups that were asked were answered for sure; the others say Unknown and why`;
  return ours === 0
    ? `${sure}.`
    : `${sure}. ${ours} more were not asked: our own queues were full.`;
}

function periodOf(tlds: readonly Tld[], timestamp: string): string {
  const [first] = tlds.flatMap(({ hours }) => hours.map(({ startsAt }) => startsAt)).toSorted();
  return first === undefined
    ? "Answers from the cache are not counted."
    : `Look-ups from ${minuteOf(first)} to ${minuteOf(timestamp)} UTC, of a day at most. ` +
      "Answers from the cache are not counted.";
}

function rowOf(tld: Tld, now: number): Html {
  const { test, answers, averageMs, causes, hours } = tld;
  const { ours, theirs } = unknownOf(tld);
  const tested = test === undefined
    ? html`not tested yet`
    : html`${test.state}, ${minuteOf(test.testedAt)}${wordingOf(test.wordings)}`;
  const asked = answers - ours;
  const reasons = Object.entries(causes).filter(([cause]) => !OURS.has(cause))
    .map(([cause, count]) => `${CAUSES.get(cause) ?? cause.replaceAll("_", " ")}: ${count}`);
  return html`
    <tr>
      <th scope="row">.${tld.tld}</th>
      <td data-title="Sure"><b>${asked === 0 ? "–" : shareOf(asked - theirs, asked)}</b></td>
      <td data-title="Unknown, by the registry or DNS">${theirs} of ${asked}${reasons.length === 0
        ? ""
        : html`<span class="quiet"> ${reasons.join(", ")}</span>`}</td>
      <td data-title="Not asked, by us">${ours}</td>
      <td data-title="Answers in">${averageMs === undefined ? "–" : `${averageMs} ms`}</td>
      <td data-title="Last test">${tested}</td>
      <td data-title="Look-ups by hour">${hours.length === 0
        ? "–"
        : html`${chartOf(tld, now)}${hoursOf(tld)}`}</td>
    </tr>
  `;
}

function wordingOf(wordings: NonNullable<Tld["test"]>["wordings"]): Html | string {
  const lines = wordings.flat();
  if (lines.length === 0) return "";
  return html`
    <details>
      <summary>Its “not found”</summary>
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
    </details>
  `;
}

/** A bar for each hour of the day: its look-ups, and in another colour those that were unknown. */
function chartOf({ tld, hours }: Tld, now: number): Html {
  const most = Math.max(...hours.map(({ answers }) => answers));
  const bars = hours.map(({ startsAt, answers, unknown }) => {
    const ago = Math.floor((now - Date.parse(startsAt)) / HOUR_MS);
    const x = (HOURS - 1 - Math.min(ago, HOURS - 1)) * HOUR_WIDTH;
    const height = Math.max(2, Math.round(answers / most * HEIGHT));
    const dark = Math.round(unknown / answers * height);
    return html`
      <rect class="sure" x="${x}" y="${HEIGHT - height}" width="${HOUR_WIDTH -
        1}" height="${height - dark}" />
      <rect class="unknown" x="${x}" y="${HEIGHT - dark}" width="${HOUR_WIDTH -
        1}" height="${dark}" />
    `;
  });
  return html`
    <svg role="img" aria-label="Chart of .${tld}; the hours below are the same in numbers"
      viewBox="0 0 ${HOURS * HOUR_WIDTH} ${HEIGHT + 1}"><path d="M0 ${HEIGHT + 0.5}h${HOURS *
        HOUR_WIDTH}" />${bars}</svg>
    <span
      class="axis quiet"><span>24 h ago</span> <span>at most ${most} an hour</span> <span>now</span></span>
  `;
}

function hoursOf({ tld, hours }: Tld): Html {
  return html`
    <details>
      <summary>Hours of .${tld}</summary>
      <table>
        ${titlesOf("From", "Look-ups", "Unknown", "Average time")}
        <tbody>${hours.map((hour) =>
          html`
            <tr>
              <th scope="row">${minuteOf(hour.startsAt)}</th>
              <td>${hour.answers}</td>
              <td>${hour.unknown}</td>
              <td>${hour.averageMs === undefined ? "" : `${hour.averageMs} ms`}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </details>
  `;
}

function incidentOf({ at, tld, kind, about }: Accuracy["incidents"][number]): Html {
  const what = kind === "withdrawal" ? "answers withdrawn" : "witnesses disagreed";
  return html`<li>${minuteOf(at)}, .${tld}, ${what}: ${about}</li>`;
}

function shareOf(part: number, all: number): string {
  // 99.6 % is not all.
  return `${part === all ? 100 : Math.min(99, Math.round(100 * part / all))} %`;
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
