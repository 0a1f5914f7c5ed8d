// @ts-check
/// <reference lib="dom" />
/** The page: a name goes in, and rows that never move fill as the answers come. */
import { endWish, readAddress, writeAddress } from "./address.js";
import { getJson, Trouble, watchAllowance } from "./ask.js";
import { copyFrom } from "./copy.js";
import { toggleProfile } from "./eth.js";
import { createList } from "./list.js";
import { createSearches } from "./search.js";
import { createTroubleNote } from "./trouble.js";
import { readTyped } from "./typed.js";

/** @import { Act } from "./list.js" */
/** @import { Endings } from "./row.js" */

/** How long after the last key: the fewer requests are left, the longer, for each pause in typing costs one or two. */
const PAUSES = [{ left: 0.5, ms: 160 }, { left: 0.2, ms: 450 }, { left: 0, ms: 900 }];
/** A shorter name is most likely the start of a longer one: it is asked for on Enter only. */
const SHORTEST_AS_TYPED = 2;
const AGES_EVERY_MS = 15_000;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = /** @type {HTMLInputElement} */ (byId("name"));
const freeOnly = /** @type {HTMLInputElement} */ (byId("free-only"));
const kind = /** @type {HTMLSelectElement} */ (byId("kind"));
const progress = /** @type {HTMLProgressElement} */ (byId("progress"));
const HINT = byId("hint").textContent ?? "";
const TITLE = "Is the name free?";

let leftShare = 1;
let asked = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

const trouble = createTroubleNote({
  note: byId("trouble"),
  text: byId("trouble-text"),
  button: byId("again"),
});
const endings = await loadEndings();
const list = createList(byId("rows"), {
  endings: endings.endings,
  onAct: (act, row, button) => void acts[act](row, button),
  onLeave: () => input.focus(),
});
const searches = createSearches({
  endings,
  expect: (name) => (list.expect(name), tell()),
  show: (tld, view) => (list.show(tld, view), tell()),
  onDone: (name) => say(`${name}: ${list.counts()}`),
  onTrouble: tellTrouble,
});

/**
 * What the buttons of a row do.
 * @type {Record<Act, (row: { tld: string, panel: HTMLElement }, button: HTMLElement) => unknown>}
 */
const acts = {
  retry: ({ tld }) => searches.retry(tld),
  // On a narrow screen the links wait for this: rows that grew as answers arrive would move those below them.
  offers: (_, button) => button.ariaExpanded = `${button.ariaExpanded !== "true"}`,
  open: ({ panel }, button) => toggleProfile(asked, { panel, button }),
  copy: ({ tld }, button) => copyAndSay(button, `${asked}.${tld}`),
};

watchAllowance(({ limit, remaining }) => {
  leftShare = remaining / limit;
  byId("allowance").textContent = `${remaining} of ${limit} requests left`;
});
byId("keys").hidden = false;
byId("endings").append(
  ...list.endings.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
);
listen();
searchAddress();

/** @returns {Promise<Endings>} */
async function loadEndings() {
  try {
    return await getJson("/endings.json");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    trouble.show(error, () => location.reload());
    return await new Promise(() => {});
  }
}

function listen() {
  input.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(searchAsTyped, PAUSES.find(({ left }) => leftShare >= left)?.ms);
  });
  input.addEventListener("change", endWish);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    searchTyped();
    endWish();
  });
  addEventListener("popstate", searchAddress);
  addEventListener("keydown", onKey);
  setInterval(list.refresh, AGES_EVERY_MS);
  freeOnly.addEventListener("change", filter);
  kind.addEventListener("change", filter);
  const [copyFree, copyLink] = [byId("copy-free"), byId("copy-link")];
  copyFree.addEventListener("click", () => copyAndSay(copyFree, list.freeNames().join("\n")));
  copyLink.addEventListener("click", () => copyAndSay(copyLink, location.href));
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const isTyping = document.activeElement === input;
  if (event.key === "Escape" && !isTyping) input.focus();
  if (event.key !== "ArrowDown" || !isTyping || byId("outcome").hidden) return;
  event.preventDefault();
  list.focusFirst();
}

function searchAsTyped() {
  const typed = readTyped(input.value);
  if (typed.kind !== "name" || typed.name.length >= SHORTEST_AS_TYPED) searchTyped();
}

function searchTyped() {
  clearTimeout(typing);
  const typed = readTyped(input.value);
  if (typed.kind === "nothing") writeAddress("");
  if (typed.kind === "name") writeAddress(`${typed.name}.${typed.ending}`.replace(/\.$/, ""));
  search(typed);
}

/** Searches for what the address says: a link that somebody shared, or a way back. */
function searchAddress() {
  clearTimeout(typing);
  endWish();
  input.value = readAddress() ?? "";
  search(readTyped(input.value));
}

/** @param {ReturnType<typeof readTyped>} typed */
function search(typed) {
  searches.stop();
  trouble.clear();
  say("");
  hint(typed.kind === "refused" ? typed.why : "");
  byId("outcome").hidden = typed.kind !== "name";
  byId("endings").hidden = typed.kind === "name";
  document.title = typed.kind === "name" ? `${typed.name} · ${TITLE}` : TITLE;
  if (typed.kind !== "name") return;
  asked = typed.name;
  list.mark(typed.ending);
  if (!list.has(typed.ending)) hint(`.${typed.ending} is not checked here; these are:`);
  searches.start(asked);
}

/** @param {string} why what is wrong with the name, or nothing */
function hint(why) {
  byId("hint").textContent = why || HINT;
  input.setAttribute("aria-invalid", `${why !== ""}`);
}

function tell() {
  const settled = list.settledCount();
  progress.max = list.size;
  progress.value = settled;
  byId("outcome").classList.toggle("done", settled === list.size);
  byId("rows").setAttribute("aria-busy", `${settled < list.size}`);
  byId("summary").textContent = list.counts();
  byId("copy-free").toggleAttribute("disabled", list.freeNames().length === 0);
  byId("nothing").hidden = !list.isEmpty();
}

/** @param {Trouble} why */
function tellTrouble(why) {
  say(why.message);
  if (why.kind !== "refused") return trouble.show(why, searches.again);
  hint(why.message);
  byId("outcome").hidden = true;
}

/**
 * Has a screen reader say one sentence: at the end of a search, not at each of its rows.
 * @param {string} sentence
 */
function say(sentence) {
  byId("said").textContent = sentence;
}

function filter() {
  list.filter({ freeOnly: freeOnly.checked, kind: kind.value });
  tell();
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
async function copyAndSay(button, text) {
  say(await copyFrom(button, text));
}
