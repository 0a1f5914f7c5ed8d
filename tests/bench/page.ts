/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { createTypingRhythm } from "../../static/typing.js";
import { browse, launch } from "../browser/browse.ts";
import { findChromium } from "../browser/chromium.ts";
import { settled } from "../browser/rows.ts";
import { startLab } from "../lab/lab.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { freshLabel } from "./service_checks.ts";
import { median, medianMs } from "./statistics.ts";

const DNS_MS = 50;
const ROUNDS = 15;
/** The pause between two keys. */
const GAP_MS = 40;
/** What the page waits after a key of such a typist, to see whether another follows. */
const PAUSE_MS = pauseAfter(GAP_MS);

/** How a name gets into the field, and the target of its first row in ms. */
const WAYS = {
  "the last key": 200,
  "Enter": 150,
  "a paste": 150,
} as const;

/** How soon after the last key, Enter or a paste a person sees the first row. */
export const page: Benchmark = {
  name: "page",
  about: `the page in Chromium, from a key, Enter or a paste to the first row, DNS ${DNS_MS} ms`,
  async *rows() {
    if (findChromium() === undefined) {
      yield { what: "not measured", measured: { "no Chromium": "install it, or set CHROMIUM" } };
      return;
    }
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    await using service = await startProcess(lab);
    await using browser = await launch();
    await using browsing = await browse(browser, service.url);
    const { page } = browsing;
    await page.goto("/");
    for (const [way, targetMs] of Object.entries(WAYS) as [keyof typeof WAYS, number][]) {
      const samples: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const label = freshLabel();
        lab.script(label, { dns: "delegated", rdap: "registered" });
        const ms = await firstRowMs(page, label, way);
        if (round > 0) samples.push(ms);
      }
      const pauseMs = way === "the last key" ? PAUSE_MS : 0;
      const beyond = median(samples) - DNS_MS - pauseMs;
      yield {
        what: `first row after ${way}, ${ROUNDS} names that are delegated everywhere`,
        measured: {
          "first row": medianMs(samples),
          slowest: `${Math.round(Math.max(...samples))} ms`,
          [`beyond DNS and a pause of ${pauseMs} ms`]: `${beyond.toFixed(1)} ms`,
        },
        target: `≤ ${targetMs} ms`,
      };
    }
  },
};

function pauseAfter(gapMs: number): number {
  const rhythm = createTypingRhythm();
  for (const key of [1, 2]) rhythm.press(key * gapMs);
  return rhythm.waitFor("dns");
}

/** Enters a name and waits for its first row, both timed in the page. */
async function firstRowMs(page: Page, label: string, way: keyof typeof WAYS): Promise<number> {
  const input = page.getByLabel("Name", { exact: true });
  await input.fill(way === "a paste" ? "" : label.slice(0, -3));
  const shown = page.evaluate(() =>
    new Promise<number>((resolve) => {
      let typedAt = NaN;
      const form = document.getElementById("search");
      for (const type of ["input", "submit", "paste"]) {
        form?.addEventListener(type, () => typedAt = performance.now(), { capture: true });
      }
      const rows = document.getElementById("rows");
      if (rows === null) return;
      const observer = new MutationObserver(() => {
        if (rows.querySelector('[data-state="taken"]') === null) return;
        observer.disconnect();
        // A row is visible once it is painted.
        requestAnimationFrame(() => resolve(performance.now() - typedAt));
      });
      observer.observe(rows, { subtree: true, attributeFilter: ["data-state"] });
    })
  );
  await input.press("End");
  if (way === "a paste") {
    // A list of two lines: a paste of one is an "input" like any other.
    await input.evaluate((input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      input.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, `${label}.com\n${label}.net`);
  } else {
    await page.keyboard.type(label.slice(-3), { delay: way === "Enter" ? 0 : GAP_MS });
    if (way === "Enter") await page.keyboard.press("Enter");
  }
  const ms = await shown;
  await settled(page, label);
  return ms;
}
