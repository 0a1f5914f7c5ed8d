/** `/accuracy` as a page: tables, with a chart of each registry's day that the tables repeat in numbers. */
import { html } from "hono/html";
import { STATE_ENTRIES } from "../../static/vocabulary.js";
import type { Accuracy } from "../api/accuracy.ts";
import type { Html } from "./table.ts";

type Tld = Accuracy["tlds"][number];
type Hour = Tld["hours"][number];

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Of a chart, in units of its viewBox. */
const [HOUR_WIDTH, HEIGHT] = [6, 40];

/** Renders the whole document. */
export function accuracyPage({ since, tlds, incidents, truthTable, timestamp }: Accuracy): string {
  const slowestMs = Math.max(1, ...tlds.flatMap(({ hours }) => hours.map(averageOf)));
  return `${html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Accuracy of the answers</title>
        <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/static/style.css">
        <link rel="stylesheet" href="/static/accuracy.css">
      </head>
      <body class="accuracy">
        <main>
          <h1>Accuracy of the answers</h1>
          <p>
            Look-ups from ${minuteOf(since)} to ${minuteOf(
              timestamp,
            )} UTC; answers from the cache are not
            counted. <a href="/">Check a name</a>
          </p>
          <h2 id="registries">Registries</h2>
          <div class="wide" role="region" aria-labelledby="registries" tabindex="0">
            <table>
              <thead>
                <tr>
                  <th scope="col">TLD</th>
                  <th scope="col">Last test</th>
                  <th scope="col">Look-ups</th>
                  <th scope="col">Unknown</th>
                  <th scope="col">Average time</th>
                  <th scope="col">Time and share of unknown, by hour</th>
                </tr>
              </thead>
              <tbody>${tlds.map((tld) => rowOf(tld, { since, slowestMs }))}</tbody>
            </table>
          </div>
          <h2>Incidents</h2>
          ${incidents.length === 0
            ? html`<p>None.</p>`
            : html`<ul>${incidents.map(incidentOf)}</ul>`}
          <h2>What leads to which answer</h2>
          <table>
            <thead><tr><th scope="col">Finding</th><th scope="col">Answer</th></tr></thead>
            <tbody>${truthTable.map(({ finding, state }) =>
              html`
                <tr>
                  <td>${finding}</td>
                  <td>${STATE_ENTRIES[state].word}</td>
                </tr>
              `
            )}</tbody>
          </table>
        </main>
      </body>
    </html>
  `}`;
}

function rowOf(tld: Tld, { since, slowestMs }: { since: string; slowestMs: number }): Html {
  const { test, answers, unknown, averageMs, causes, hours } = tld;
  const tested = test === undefined
    ? html`not tested yet`
    : html`${test.state} at ${minuteOf(test.testedAt)}${wordingOf(test.wordings)}`;
  const reasons = Object.entries(causes).map(([cause, count]) => `${cause}: ${count}`).join(", ");
  return html`
    <tr>
      <th scope="row">.${tld.tld}</th>
      <td>${tested}</td>
      <td>${answers}</td>
      <td>${shareOf({ answers, unknown })}${reasons === "" ? "" : ` (${reasons})`}</td>
      <td>${averageMs === undefined ? "" : `${averageMs} ms`}</td>
      <td>${hours.length === 0
        ? ""
        : html`${chartOf(tld, { since, slowestMs })}${hoursOf(tld)}`}</td>
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

/** Bars of the registry's time; what lies below the middle line is the share of unknown answers. */
function chartOf(
  { tld, hours }: Tld,
  { since, slowestMs }: { since: string; slowestMs: number },
): Html {
  const middle = HEIGHT / 2;
  const bars = hours.map((hour) => {
    const x = Math.round((Date.parse(hour.startsAt) - Date.parse(since)) / HOUR_MS) * HOUR_WIDTH;
    const time = Math.round(averageOf(hour) / slowestMs * middle);
    const unknown = Math.round(hour.unknown / hour.answers * middle);
    const width = HOUR_WIDTH - 1;
    return html`
      <rect class="time" x="${x}" y="${middle - time}" width="${width}" height="${time}" />
      <rect class="unknown" x="${x}" y="${middle}" width="${width}" height="${unknown}" />
    `;
  });
  return html`
    <svg role="img" aria-label="Chart of .${tld}; the hours below are the same in numbers"
      viewBox="0 0 ${HOURS * HOUR_WIDTH} ${HEIGHT}">${bars}</svg>
  `;
}

function hoursOf({ tld, hours }: Tld): Html {
  return html`
    <details>
      <summary>Hours of .${tld}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Look-ups</th>
            <th scope="col">Unknown</th>
            <th scope="col">Average time</th>
          </tr>
        </thead>
        <tbody>${hours.map((hour) =>
          html`
            <tr>
              <th scope="row">${minuteOf(hour.startsAt)}</th>
              <td>${hour.answers}</td>
              <td>${shareOf(hour)}</td>
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

function averageOf({ averageMs = 0 }: Hour): number {
  return averageMs;
}

function shareOf({ answers, unknown }: { answers: number; unknown: number }): string {
  return answers === 0 ? "" : `${Math.round(100 * unknown / answers)} %`;
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
