// @ts-check
/// <reference lib="dom" />
/** The page: starts a search for the typed name and shows its results. */
import { endSearch, readAddress, writeAddress } from "./address.js";
import { getJson, RequestError, watchQuota } from "./api_client.js";
import { copyFrom } from "./copy.js";
import { createErrorNote } from "./error_note.js";
import { toggleProfile } from "./eth.js";
import { parseInput } from "./parse_input.js";
import { createResultList } from "./result_list.js";
import { createSearches } from "./search.js";

/** @import { RowAction } from "./result_list.js" */
/** @import { TldOffers } from "./result_row.js" */

/** The debounce of typing grows as the quota shrinks, because each search costs one or two requests. */
const PAUSES = [{ left: 0.5, ms: 160 }, { left: 0.2, ms: 450 }, { left: 0, ms: 900 }];
/** A shorter name is most likely the start of a longer one, so only Enter searches for it. */
const MIN_CHARS_AS_TYPED = 2;
const AGES_EVERY_MS = 15_000;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = /** @type {HTMLInputElement} */ (byId("name"));
const availableOnly = /** @type {HTMLInputElement} */ (byId("available-only"));
const tldType = /** @type {HTMLSelectElement} */ (byId("tld-type"));
const progress = /** @type {HTMLProgressElement} */ (byId("progress"));
const HINT = byId("hint").textContent ?? "";
const TITLE = "Is the name available?";

let leftShare = 1;
let searched = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let debounce;

const errorNote = createErrorNote({
  note: byId("error"),
  text: byId("error-text"),
  button: byId("retry"),
});
const offers = await loadOffers();
const list = createResultList(byId("rows"), {
  tlds: offers.tlds,
  onAction: (action, row, button) => void actions[action](row, button),
  onLeave: () => input.focus(),
});
const searches = createSearches({
  offers,
  expect: (name) => (list.expect(name), updateSummary()),
  show: (tld, view) => (list.show(tld, view), updateSummary()),
  refresh: list.refresh,
  onDone: (name) => announce(`${name}: ${list.counts()}`),
  onError: showError,
});

/**
 * What the buttons of a row do.
 * @type {Record<RowAction, (row: { tld: string, panel: HTMLElement }, button: HTMLElement) => unknown>}
 */
const actions = {
  retry: ({ tld }) => searches.retry([tld]),
  // On a narrow screen links stay collapsed: rows that grew as answers arrive would move those below them.
  offers: (_, button) => button.ariaExpanded = `${button.ariaExpanded !== "true"}`,
  open: ({ panel }, button) => toggleProfile(searched, { panel, button }),
  copy: ({ tld }, button) => copyAndAnnounce(button, `${searched}.${tld}`),
};

watchQuota(({ limit, remaining }) => {
  leftShare = remaining / limit;
  byId("quota").textContent = `${remaining} of ${limit} requests left`;
});
byId("keys").hidden = false;
byId("tlds").append(
  ...list.tlds.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
);
listen();
searchAddress();

/** @returns {Promise<TldOffers>} */
async function loadOffers() {
  try {
    return await getJson("/tld-offers.json");
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    errorNote.show(error, () => location.reload());
    return await new Promise(() => {});
  }
}

function listen() {
  input.addEventListener("input", () => {
    clearTimeout(debounce);
    debounce = setTimeout(searchAsTyped, PAUSES.find(({ left }) => leftShare >= left)?.ms);
  });
  input.addEventListener("change", endSearch);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    searchTyped();
    endSearch();
  });
  addEventListener("popstate", searchAddress);
  addEventListener("keydown", onKey);
  setInterval(list.refresh, AGES_EVERY_MS);
  availableOnly.addEventListener("change", filter);
  tldType.addEventListener("change", filter);
  byId("retry-all").addEventListener("click", retryAll);
  const [copyNames, copyLink] = [byId("copy-names"), byId("copy-link")];
  copyNames.addEventListener(
    "click",
    () => copyAndAnnounce(copyNames, list.availableNames().join("\n")),
  );
  copyLink.addEventListener("click", () => copyAndAnnounce(copyLink, location.href));
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const isTyping = document.activeElement === input;
  if (event.key === "Escape" && !isTyping) input.focus();
  if (event.key !== "ArrowDown" || !isTyping || byId("results").hidden) return;
  event.preventDefault();
  list.focusFirst();
}

function searchAsTyped() {
  const parsed = parseInput(input.value);
  if (parsed.kind !== "name" || parsed.name.length >= MIN_CHARS_AS_TYPED) searchTyped();
}

function searchTyped() {
  clearTimeout(debounce);
  const parsed = parseInput(input.value);
  if (parsed.kind === "empty") writeAddress("");
  if (parsed.kind === "name") writeAddress(`${parsed.name}.${parsed.tld}`.replace(/\.$/, ""));
  search(parsed);
}

/** Searches for the name in the URL: a shared link, or an entry of the history. */
function searchAddress() {
  clearTimeout(debounce);
  endSearch();
  input.value = readAddress() ?? "";
  search(parseInput(input.value));
}

/** @param {ReturnType<typeof parseInput>} parsed */
function search(parsed) {
  searches.stop();
  errorNote.clear();
  announce("");
  showHint(parsed.kind === "invalid" ? parsed.message : "");
  byId("results").hidden = parsed.kind !== "name";
  byId("tlds").hidden = parsed.kind === "name";
  document.title = parsed.kind === "name" ? `${parsed.name} · ${TITLE}` : TITLE;
  if (parsed.kind !== "name") return;
  const { name, tld } = parsed;
  searched = name;
  list.mark(tld);
  if (tld !== "" && !list.has(tld)) showHint(`.${tld} is not supported; these TLDs are:`);
  searches.start(searched);
}

function retryAll() {
  const [first = "", ...others] = list.unknown();
  void searches.retry([first, ...others]);
  // The button disappears, and the focus would fall back to the top of the page.
  list.focus(first);
}

/** @param {string} problem what is wrong with the name; empty if nothing is */
function showHint(problem) {
  byId("hint").textContent = problem || HINT;
  input.setAttribute("aria-invalid", `${problem !== ""}`);
}

function updateSummary() {
  const settled = list.settledCount();
  progress.max = list.size;
  progress.value = settled;
  byId("results").classList.toggle("done", settled === list.size);
  byId("rows").setAttribute("aria-busy", `${settled < list.size}`);
  byId("summary").textContent = list.counts();
  byId("retry-all").toggleAttribute("disabled", list.unknown().length < 2);
  byId("copy-names").toggleAttribute("disabled", list.availableNames().length === 0);
  byId("no-match").hidden = !list.isEmpty();
}

/** @param {RequestError} error */
function showError(error) {
  announce(error.message);
  if (error.kind !== "invalid") return errorNote.show(error, searches.retryFailed);
  showHint(error.message);
  byId("results").hidden = true;
}

/**
 * Has screen readers announce one sentence: at the end of a search, not at each of its rows.
 * @param {string} sentence
 */
function announce(sentence) {
  byId("announcement").textContent = sentence;
}

function filter() {
  list.filter({ availableOnly: availableOnly.checked, type: tldType.value });
  updateSummary();
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
async function copyAndAnnounce(button, text) {
  announce(await copyFrom(button, text));
}
