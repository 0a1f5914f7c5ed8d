/**
 * The frame of an answer, as the script is going to draw it: the domain that was asked for and the rows or the grid of the
 * search, still without states. A shared link shows it at once, unless it is long, and nothing moves
 * when the script has loaded.
 */
import { html, raw } from "hono/html";
import {
  domainOf,
  type Name,
  namesInWords,
  noticeOf,
  optionsOf,
  parseInput,
} from "../../static/parse_input.js";
import { type Filters, scopeOf } from "../../static/search_scope.js";
import {
  namedTlds,
  popularFirst,
  priceText,
  shownBy,
  type TldOffers,
} from "../../static/tld_offers.js";
import { readableBehind } from "../../static/unicode_label.js";
import type { DocumentParts, Html } from "./shell.ts";

/** More rows are below every window. */
const MAX_ROWS = 30;
const ROW = /<template id="row">(?<row>.*?)<\/template>/s;
const CELL = /<template id="cell">(?<cell>.*?)<\/template>/s;

/** Creates the frame from the text of `index.html`, which has the templates of a row and a cell. */
export function createFrame(index: string) {
  const wholeRow = ROW.exec(index)?.groups?.row ?? "";
  // What an answer brings is left out: it is most of the text, and has its place in the row all the same.
  const row = `${wholeRow.slice(0, wholeRow.indexOf(ANSWERED))}</li>`;
  const cell = raw(CELL.exec(index)?.groups?.cell ?? "");

  const rowOf = ({ name, tld }: Name) => raw(fillDomain(row, { name, tld }));

  const gridRowOf = (name: string, columns: readonly string[]) =>
    html`<tr><th scope="row"><a>${name}</a><span>${readableBehind(name)}</span></th>${
      columns.map(() => html`<td>${cell}</td>`)
    }</tr>`;

  return (typed: string, filters: Filters, offers: TldOffers): DocumentParts => {
    const parsed = parseInput(typed);
    if (parsed.kind !== "name" && parsed.kind !== "names") return [];
    const tlds = [...popularFirst(offers.tlds), { tld: "eth" }];
    const scope = scopeOf(parsed, tlds, filters);
    const parts: DocumentParts = [['aria-label="Results" hidden', 'aria-label="Results"']];
    const named = namedTlds(scope.choice);
    if (named.length > 0) {
      parts.push(['id="named-tlds" hidden', html`id="named-tlds" value="${named.join(", ")}"`]);
    }
    const notice = noticeOf(parsed);
    if (notice !== "") {
      parts.push([/<p id="hint" class="quiet">[^<]*/, html`${raw(HINT)}${notice}`]);
    }
    const options = optionsOf(parsed).map((option) => html`<li><a>${domainOf(option)}</a></li>`);
    if (options.length > 0) {
      parts.push([CHOICES, html`${raw(CHOICES.replace(" hidden", ""))}${options}`]);
    }
    if (parsed.kind === "name") {
      const asked = { name: parsed.name, tld: parsed.tld || (tlds[0]?.tld ?? "") };
      parts.push([ANSWER, fillDomain(ANSWER, asked)], [SENTENCE, `${SENTENCE}is being checked`]);
    } else parts.push(['id="answer" class="answer"', 'id="answer" class="answer" hidden']);
    if (!scope.isGrid) {
      const rows = scope.domains.filter(shownBy(tlds, scope.choice)).slice(0, MAX_ROWS).map(rowOf);
      return [...parts, [ROWS, html`${raw(ROWS)}${rows}`]];
    }
    const names = [...new Set(scope.domains.map(({ name }) => name))];
    const columns = [...new Set(scope.domains.map(({ tld }) => tld))];
    const head = html`
      <thead>
        <tr><th scope="col">${namesInWords(
          names.length,
        )}<span class="quiet">3-year cost</span></th>${columns.map((tld) =>
          headOf(tld, offers)
        )}</tr>
      </thead>
      <tbody>${names.slice(0, MAX_ROWS).map((name) => gridRowOf(name, columns))}</tbody>
    `;
    return [
      ...parts,
      ['aria-label="Names and TLDs" hidden', 'aria-label="Names and TLDs"'],
      [ROWS, ROWS.replace(" role", " hidden role")],
      [GRID, head],
    ];
  };
}

const ANSWERED = '<p class="price">';
const ROWS = '<ol id="rows" class="rows" role="list">';
const GRID = /<thead><\/thead>\s*<tbody><\/tbody>/;
const HINT = '<p id="hint" class="quiet notice">';
const CHOICES = '<ul id="choices" class="chips" aria-label="Names that can be checked" hidden>';
const SENTENCE = '<span class="sentence">';
const ANSWER = '<span class="domain"><span class="label"></span><wbr><b class="tld"></b></span>';

function headOf(tld: string, { tlds }: TldOffers): Html {
  const { total = "", trap = "" } = priceText(tlds.find((one) => one.tld === tld)?.prices) ?? {};
  return html`<th scope="col">.${tld}<span class="total">${total.split(" ")[0]}</span><span
    class="trap">${trap.split(" ")[0]}</span><span class="count"></span></th>`;
}

/** Labels and TLDs are escaped: they come from a stranger's link. */
function fillDomain(text: string, { name, tld }: Name): string {
  return text.replace('class="label">', () => `${html`class="label">${name}`}`)
    .replace('class="tld">', () => `${html`class="tld">.${tld}`}`);
}

/** The links of TLDs under the field, and the text that they replace. */
export function tldItems(tlds: readonly string[]): readonly [string, Html] {
  const place = 'aria-label="TLDs">';
  return [place, html`${raw(place)}${tlds.map((tld) => html`<li>.${tld}</li>`)}`];
}
