// @ts-check
/// <reference lib="dom" />
/**
 * The page: starts a search for what is typed, and shows its results as rows or as a grid.
 *
 * `search.js` runs one search at a time, of a name or of a list, and knows nothing of how it is shown: `result_list.js` (rows)
 * and `grid.js` (names and TLDs) have the same interface. What is known of each domain stands here, once: they read it when
 * they draw. Modules that use no browser API (`parse_input.js`, `vocabulary.js`, `domain_view.js` and others) are tested
 * without one, and the server imports some of them.
 */
import { getJson, quota, RequestError } from "./api_client.js";
import { createDomainMenu } from "./domain_menu.js";
import { CHECKING, isSettled } from "./domain_view.js";
import { domainAt, drawDomain } from "./elements.js";
import { createErrorNote } from "./error_note.js";
import { createGrid } from "./grid.js";
import { createHint } from "./hint.js";
import { durationInWords } from "./list_plan.js";
import { domainOf, nameOf, namesInWords, noticeOf, parseInput } from "./parse_input.js";
import { createResultList } from "./result_list.js";
import { createSearches } from "./search.js";
import { addressOf, endSearch, readAddress, scopeOf, writeAddress } from "./search_scope.js";
import {
  changeOf,
  costInWords,
  createShortlist,
  csvOf,
  keep,
  markdownOf,
  readKept,
} from "./shortlist.js";
import { namedTlds, popularFirst, priceText, readChoice, shownBy } from "./tld_offers.js";
import { watchTyping } from "./typing.js";
import { createVariantList } from "./variants.js";
import { countsInWords } from "./vocabulary.js";

/** @import { DomainView } from "./domain_view.js" */
/** @import { Name, ParsedInput } from "./parse_input.js" */
/** @import { Scope } from "./search_scope.js" */
/** @import { TldOffers } from "./tld_offers.js" */

/** Variants are checked unasked only if this share of the requests is left after it. */
const VARIANTS_SHARE = 0.5;
/** From here on the page says how many requests are left. */
const FEW_REQUESTS = 10;
/** A shorter name is most likely the start of a longer one, so only Enter searches for it. */
const MIN_CHARS_AS_TYPED = 2;
const AGES_EVERY_MS = 15_000;
const COPIED_SHOWN_MS = 1_500;
const TLDS_KEY = "tlds";
/** The choice in which the field beside it counts. */
const NAMED = "named";
const TITLE = "Is the name available?";
/** Of what is no name, the address has so much. */
const MOST_TYPED = 280;

// An older browser has the table without scripts, to which the form leads.
if (!("popover" in HTMLElement.prototype && "groupBy" in Map && "union" in Set.prototype)) {
  if (new URLSearchParams(location.search).has("q")) location.replace(`/search${location.search}`);
  throw new Error("This browser is too old for the page's script");
}

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = /** @type {HTMLTextAreaElement} */ (byId("name"));
const availableOnly = /** @type {HTMLInputElement} */ (byId("available-only"));
const tldsShown = /** @type {HTMLSelectElement} */ (byId("tlds-shown"));
const namedField = /** @type {HTMLInputElement} */ (byId("named-tlds"));
const sort = /** @type {HTMLSelectElement} */ (byId("sort"));
const progress = /** @type {HTMLProgressElement} */ (byId("progress"));
const answer = byId("answer");

const leftShare = (cost = 0) => (quota.left(performance.now()) - cost) / quota.limit();
let { filters } = readPage();
/** @type {ParsedInput} */
let searched = { kind: "empty" };
/** @type {Scope} */
let scope = { isGrid: false, choice: "all", columns: [], domains: [] };
/** Whether the search is that of the shortlist. */
let isShortlist = false;
/** What is shown of each domain of the search. @type {Map<string, DomainView>} */
let views = new Map();
const viewOf = (/** @type {string} */ domain) => views.get(domain) ?? CHECKING;
/** The frame in which the summary is updated; 0 if none is awaited. */
let frame = 0;

const errorNote = createErrorNote(byId("error"));
const shown = () => scope.isGrid ? grid : list;
// Until the offers are here, typing, pasting and Enter fill the field only.
let hasOffers = false;
const typing = watchTyping(input, {
  leftShare,
  onPause: (depth) => hasOffers && searchAsTyped(depth),
  onPaste: () => hasOffers && submit(),
});
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  if (hasOffers) submit();
});
const offers = await loadOffers();
hasOffers = true;
const tlds = [...popularFirst(offers.tlds), { tld: "eth" }];
/** That of a name that was typed without one. */
const { tld: usualTld = "" } = tlds[0] ?? {};
const hint = createHint({ input, hint: byId("hint"), choices: byId("choices") });
const shortlist = createShortlist(showShortlist);
const menu = createDomainMenu(byId("menu"), viewOf);
const onLeave = () => input.focus();
const list = createResultList(byId("rows"), {
  viewOf,
  ownOf: (domain) => isShortlist && shortlist.has(domain) ? ownOf(domain) : undefined,
  onNote: shortlist.annotate,
  onCopy: (domain, row) => void copyAndAnnounce(row, domain),
  onLeave,
});
const grid = createGrid(/** @type {HTMLTableElement} */ (byId("grid")), {
  viewOf,
  isListed: shortlist.has,
  priceOf: (tld) => priceText(offers.tlds.find((one) => one.tld === tld)?.prices),
  onLeave,
});
const searches = createSearches({
  offers,
  expect: (domains) => expect(domains),
  show(domain, view) {
    views.set(domain, view);
    if (isSettled(view.state)) shortlist.see(domain, view.state, Date.now());
    shown().show(domain);
    menu.show(domain);
    if (domain === askedDomain()) {
      drawDomain(answer, domain, view);
      variants.onAnswer(view.state);
    }
    // A grid has thousands of cells: they are counted once a frame.
    if (frame === 0) frame = requestAnimationFrame(updateSummary);
  },
  refresh,
  onDone() {
    const text = answer.hidden ? "" : answer.querySelector("h2")?.textContent ?? "";
    const said = text.trim().replaceAll(/\s+/g, " ");
    announce(`${said && `${said}. `}${titleOf(searched)}: ${counts()}`);
  },
  onError: showError,
});
const variants = createVariantList(byId("variants"), {
  tlds: tlds.map(({ tld }) => tld).filter((tld) => tld !== "eth"),
  isCheap: (domains) =>
    leftShare(domains.length) >= VARIANTS_SHARE &&
    domains.map(nameOf).every(({ tld }) =>
      offers.tlds.some((one) => one.tld === tld && one.isQuick)
    ),
  recall: searches.recall,
  noteAnswer: searches.noteAnswer,
  announce,
});

/**
 * What buttons do: those beside a domain by their class, others by their id.
 * @type {Record<string, (domain: string, button: HTMLButtonElement) => unknown>}
 */
const ACTIONS = {
  retry: (domain) => retry([domain]),
  more: (_, button) => openMenu(button),
  cell: (_, button) => openMenu(button),
  copy: (domain, button) => copyAndAnnounce(button, domain),
  star,
  "copy-names": (_, button) => {
    const names = availableShown();
    return copyAndAnnounce(button, names.join("\n"), namesInWords(names.length));
  },
  "copy-link": (_, button) => copyAndAnnounce(button, location.href, "the link"),
  "copy-csv": (_, button) => copyAndAnnounce(button, csvOf(listed()), "the shortlist"),
  "copy-markdown": (_, button) => copyAndAnnounce(button, markdownOf(listed()), "the shortlist"),
  "remove-all": shortlist.removeAll,
  "retry-all": retryUnknown,
};

byId("keys").hidden = false;
showShortlist();
input.addEventListener("change", endSearch);
addEventListener("popstate", searchAddress);
addEventListener("keydown", onKey);
document.addEventListener("click", followLink);
document.addEventListener("click", useButton);
setInterval(refresh, AGES_EVERY_MS);
byId("filters").addEventListener("change", chooseFilters);
if (input.value === input.defaultValue) searchAddress();
else searchTyped();

/** @returns {Promise<TldOffers>} */
async function loadOffers() {
  for (;;) {
    try {
      return await getJson("/tld-offers.json");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      announce(error.message);
      await new Promise((/** @type {(nothing: void) => void} */ retry) => {
        errorNote.show(error, retry);
      });
    }
  }
}

/** From the last line of the field of names, a key leads to the results; from elsewhere, back. @param {KeyboardEvent} event */
function onKey(event) {
  // An input method uses the same keys.
  if (event.isComposing) return;
  const { activeElement } = document;
  const isLastLine = activeElement === input && !input.value.includes("\n", input.selectionEnd);
  const isField = activeElement?.matches("select, input, textarea");
  const isBack = event.key === "/" && !isField ||
    event.key === "Escape" && activeElement !== input && !menu.isOpen();
  if (event.key === "ArrowDown" && isLastLine && !byId("results").hidden) shown().focusFirst();
  else if (isBack) input.focus();
  else return;
  event.preventDefault();
}

/** @param {MouseEvent} event */
function useButton({ target }) {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button === null) return;
  for (const name of [button.id, ...button.classList]) ACTIONS[name]?.(domainAt(button), button);
}

/** @param {HTMLButtonElement} button */
function openMenu(button) {
  menu.prepare(button);
  showStars();
}

/** Shows which domains are in the shortlist. */
function showStars() {
  for (const button of document.querySelectorAll("button.star")) {
    button.setAttribute("aria-pressed", `${shortlist.has(domainAt(button))}`);
  }
}

/** A link to a search is followed without loading the page again. @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (link === null || !isPlain || !link.getAttribute("href")?.startsWith("/?q=")) return;
  event.preventDefault();
  input.value = new URL(link.href).searchParams.get("q") ?? "";
  endSearch();
  submit();
  // The link may be gone with its list.
  if (document.activeElement === document.body) shown().focusFirst();
  scrollTo(0, 0);
}

/** @param {"dns"} [depth] */
function searchAsTyped(depth) {
  const parsed = parseInput(input.value);
  // A list costs a request for each name: of one that is being typed, no part is searched before the rest.
  if (depth === "dns" && parsed.kind !== "name") return;
  // After a hyphen the name goes on.
  if (input.value.endsWith("-")) return;
  if (parsed.kind === "name" && parsed.name.length < MIN_CHARS_AS_TYPED) return;
  searchTyped(depth);
}

/** @param {"dns"} [depth] */
function searchTyped(depth) {
  if (depth === undefined) typing.stop();
  const parsed = parseInput(input.value);
  writeAddress(typedOf(parsed), filters);
  search(parsed, depth);
}

/** Searches for what the user asks for by Enter or a link, not by a pause in typing. */
function submit() {
  searchTyped();
  endSearch();
  variants.onSubmitted();
}

/** Searches for what the URL holds: a shared link, or an entry of the history. */
function searchAddress() {
  typing.stop();
  endSearch();
  const address = readPage();
  filters = address.filters;
  input.value = address.typed;
  search(parseInput(input.value));
  variants.onSubmitted();
}

/** What the URL holds; on the page itself the TLDs count that were named on an earlier visit. */
function readPage() {
  const address = readAddress();
  const kept = readChoice(readKept(TLDS_KEY)?.join(",") ?? "");
  namedField.value ||= kept.replaceAll(",", ", ");
  if (address.typed === "") address.filters.tlds ||= kept;
  return address;
}

/** What the URL holds for an input. @param {ParsedInput} parsed */
function typedOf(parsed) {
  if (parsed.kind === "name") return domainOf(parsed);
  if (parsed.kind === "names") return parsed.names.map(domainOf).join(" ");
  return parsed.kind === "empty" ? "" : input.value.trim().slice(0, MOST_TYPED);
}

/**
 * @param {ParsedInput} parsed
 * @param {"dns"} [depth]
 */
function search(parsed, depth) {
  const isSearch = parsed.kind === "name" || parsed.kind === "names";
  errorNote.clear();
  menu.close();
  announce(noticeOf(parsed));
  hint.show(parsed);
  byId("results").hidden = !isSearch;
  for (const id of ["tlds", "examples"]) byId(id).hidden = isSearch;
  document.title = isSearch ? `${titleOf(parsed)} · ${TITLE}` : TITLE;
  searched = parsed;
  const { name, tld } = nameOf(askedDomain());
  // .eth has no registry to ask.
  variants.expect(name, tld === "eth" ? usualTld : tld);
  const domains = shortlist.all();
  isShortlist = domains.length > 0 && typedOf(parsed) === domains.join(" ");
  byId("listed").hidden = !isShortlist;
  if (!isSearch) return searches.stop();
  scope = scopeOf(parsed, tlds, filters);
  showFilters();
  searches.start({ isList: parsed.kind === "names", columns: scope.columns, depth }, scope.domains);
}

/**
 * Shows the domains of a search, those that are not known as being checked.
 * @param {readonly Name[]} domains
 * @param {ReadonlyMap<string, DomainView>} [known]
 */
function expect(domains, known = new Map()) {
  views = new Map(domains.map(domainOf).map((domain) => [domain, known.get(domain) ?? CHECKING]));
  byId("rows").hidden = scope.isGrid;
  byId("grid-area").hidden = !scope.isGrid;
  answer.hidden = searched.kind !== "name";
  drawDomain(answer, askedDomain(), viewOf(askedDomain()));
  shown().expect(domains);
  showStars();
  if (searched.kind === "name") list.mark(domainOf(searched));
  updateSummary();
}

/** The domain that stands above the rows; "" above a list. */
function askedDomain() {
  return searched.kind === "name" ? `${searched.name}.${searched.tld || usualTld}` : "";
}

/** @param {Event} event */
function chooseFilters({ target }) {
  const isNamed = tldsShown.value === NAMED;
  const choice = isNamed ? readChoice(namedField.value) : tldsShown.value;
  if (target === tldsShown && isNamed && choice === "") {
    namedField.hidden = false;
    return namedField.focus();
  }
  // A word that is no TLD keeps what there was.
  const isRead = choice !== "" || namedField.value.trim() === "";
  if (target === namedField && isRead) keep(TLDS_KEY, namedTlds(choice));
  filters = {
    availableOnly: availableOnly.checked,
    // Rows and grids differ in their usual choice, so it is a filter only once the user has chosen.
    tlds: target === tldsShown || target === namedField ? choice : filters.tlds,
    sort: sort.value === "price" ? "price" : "",
  };
  writeAddress(typedOf(searched), filters);
  if (searched.kind !== "name" && searched.kind !== "names") return;
  const { domains } = scope = scopeOf(searched, tlds, filters);
  const isSame = domains.length === views.size &&
    domains.map(domainOf).every((one) => views.has(one));
  showFilters();
  // Answers stay, perhaps in another order.
  if (isSame) expect(domains, views);
  else search(searched);
}

function showFilters() {
  availableOnly.checked = filters.availableOnly;
  const named = namedTlds(scope.choice);
  tldsShown.value = named.length > 0 ? NAMED : scope.choice;
  if (named.length > 0) namedField.value = named.join(", ");
  // A list of domains is shown as it was given.
  tldsShown.hidden = scope.columns.length === 0;
  namedField.hidden = tldsShown.hidden || named.length === 0;
  sort.value = filters.sort;
}

/** Asks again, which also repeats what an error stands for that is shown. @param {readonly string[]} domains */
function retry(domains) {
  errorNote.clear();
  searches.retry(domains);
}

function retryUnknown() {
  retry(domainsIn((view) => view.state === "unknown"));
}

/** @param {(view: DomainView) => boolean} test */
function domainsIn(test) {
  return [...views].filter(([, view]) => test(view)).map(([domain]) => domain);
}

/** What "Copy available names" copies: what is shown, without names at a premium. */
function availableShown() {
  return shown().shown().filter((domain) => viewOf(domain).state === "available");
}

function counts() {
  return countsInWords((state) => domainsIn((view) => view.state === state).length);
}

function updateSummary() {
  frame = 0;
  const settled = domainsIn(({ state }) => isSettled(state)).length;
  const isDone = settled === views.size;
  progress.max = Math.max(views.size, 1);
  progress.value = settled;
  byId("results").classList.toggle("done", isDone);
  for (const id of ["rows", "grid"]) byId(id).setAttribute("aria-busy", `${!isDone}`);
  const { availableOnly } = filters;
  const { activeElement } = document;
  shown().arrange({ isDone, availableOnly, isShown: shownBy(tlds, scope.choice) });
  const all = shown().shown();
  const filtered = isDone && !scope.isGrid && all.length < views.size
    ? `, ${all.length} shown`
    : "";
  // No line break between a number and its state.
  byId("summary").textContent = `${counts()}${filtered}`.replaceAll(/(?<=\d) /g, "\u00a0");
  showEnd();
  const unknown = domainsIn((view) => view.state === "unknown").length;
  byId("retry-all").toggleAttribute("disabled", unknown < (scope.isGrid ? 1 : 2));
  const available = availableShown().length;
  byId("copy-names").textContent = `Copy ${available} available`;
  byId("copy-names").toggleAttribute("disabled", available === 0);
  byId("no-match").hidden = !isDone || all.length > 0;
  // What has the focus and is filtered out or not offered any more would take it with it to the top of the page.
  const isSeen = activeElement?.checkVisibility({ visibilityProperty: true });
  if (!isSeen) shown().focusFirst({ preventScroll: true });
  if (isShortlist) showListed();
}

/** What the shortlist keeps of a domain. @param {string} domain */
function ownOf(domain) {
  const entry = shortlist.entryOf(domain);
  return { note: entry.note, change: changeOf(entry, viewOf(domain), Date.now()) };
}

/** The domains of the shortlist with all that is shown of them. */
function listed() {
  return shortlist.all().filter((domain) => views.has(domain)).map((domain) => ({
    domain,
    view: viewOf(domain),
    ...ownOf(domain),
  }));
}

/** Shows what the domains of the shortlist cost, and how many have changed. */
function showListed() {
  const all = listed();
  list.showOwn();
  byId("cost").textContent = all.length === 0
    ? "is empty"
    : costInWords(all.map(({ view }) => view));
  const changed = all.filter(({ change }) => change !== "").length;
  byId("changes").textContent = changed === 0 ? "" : `${changed} changed`;
  byId("remove-all").textContent = shortlist.canPutBack() ? "Put back" : "Remove all";
}

/** How long a list will take: from its start, and corrected as it is answered; and when few requests are left, how many. */
function showEnd() {
  const ms = searches.endMs();
  const left = domainsIn(({ state }) => !isSettled(state)).length;
  const isKnown = ms !== undefined && left > 0;
  byId("end").textContent = isKnown ? `${left} to go, ${durationInWords(ms)}` : "";
  const requests = quota.left(performance.now());
  byId("quota").textContent = requests < FEW_REQUESTS
    ? `${requests} ${requests === 1 ? "request" : "requests"} left this minute`
    : "";
}

function refresh() {
  list.refresh();
  drawDomain(answer, askedDomain(), viewOf(askedDomain()));
  showEnd();
}

/** @param {RequestError} error */
function showError(error) {
  announce(error.message);
  if (error.kind !== "invalid") return errorNote.show(error, retryUnknown);
  hint.showProblem(error.message);
  byId("results").hidden = true;
}

/** What a search is called in the title and in announcements. @param {ParsedInput} parsed */
function titleOf(parsed) {
  if (parsed.kind === "names") return namesInWords(parsed.names.length);
  return parsed.kind === "name" ? parsed.name : "";
}

/** @param {string} domain */
function star(domain) {
  const place = shortlist.toggle(domain) ? "in" : "no longer in";
  const { state } = viewOf(domain);
  if (isSettled(state)) shortlist.see(domain, state, Date.now());
  announce(`${domain} is ${place} the shortlist.`);
}

/** Shows what is in the shortlist; its link can be shared. */
function showShortlist() {
  const domains = shortlist.all();
  const link = /** @type {HTMLAnchorElement} */ (byId("shortlist"));
  link.hidden = domains.length === 0;
  link.href = addressOf(domains.join(" "));
  byId("shortlist-count").textContent = `${domains.length}`;
  showStars();
  grid.star();
  if (isShortlist) showListed();
}

/**
 * Has screen readers announce one sentence: at the end of a search, not at each of its rows.
 * @param {string} sentence
 */
function announce(sentence) {
  byId("announcement").textContent = sentence;
}

/**
 * Copies a text, and shows that on the button.
 * @param {HTMLElement} button
 * @param {string} text
 * @param {string} [what] in place of the text itself
 */
async function copyAndAnnounce(button, text, what = text.replaceAll("\n", ", ")) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https, or where the user refuses.
    const message = "This browser does not let the page copy.";
    // An error that goes on by itself keeps its place.
    if (byId("error").hidden) errorNote.show({ kind: "invalid", message });
    return announce(message);
  }
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), COPIED_SHOWN_MS);
  announce(`Copied ${what}`);
}
