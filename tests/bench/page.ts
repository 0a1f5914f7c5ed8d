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

const DNS_MS = 20;
const ROUNDS = 15;
/** The pause between two keys. */
const GAP_MS = 40;
/** What the page waits after a key of such a typist, to see whether another follows. */
const PAUSE_MS = pauseAfter(GAP_MS);

/** How soon after the last key a person sees the first row. */
export const page: Benchmark = {
  name: "page",
  about: `the page in Chromium, from the last key to the first row, DNS ${DNS_MS} ms`,
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
    const samples: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const label = freshLabel();
      lab.script(label, { dns: "delegated", rdap: "registered" });
      const ms = await firstRowMs(page, label);
      if (round > 0) samples.push(ms);
    }
    const beyond = median(samples) - DNS_MS - PAUSE_MS;
    yield {
      what: `first row after the last key, ${ROUNDS} names that are delegated everywhere`,
      measured: {
        "first row": medianMs(samples),
        slowest: `${Math.round(Math.max(...samples))} ms`,
        [`beyond DNS and the pause of ${PAUSE_MS} ms`]: `${beyond.toFixed(1)} ms`,
      },
      target: "≤ 300 ms",
    };
  },
};

function pauseAfter(gapMs: number): number {
  const rhythm = createTypingRhythm();
  for (const key of [1, 2]) rhythm.press(key * gapMs);
  return rhythm.waitFor("dns");
}

/** Types a name and waits for its first row, both timed in the page. */
async function firstRowMs(page: Page, label: string): Promise<number> {
  const input = page.getByLabel("Name", { exact: true });
  await input.fill(label.slice(0, -3));
  const shown = page.evaluate(() =>
    new Promise<number>((resolve) => {
      let typedAt = NaN;
      document.getElementById("name")?.addEventListener("input", () => typedAt = performance.now());
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
  await page.keyboard.type(label.slice(-3), { delay: GAP_MS });
  const ms = await shown;
  await settled(page, label);
  return ms;
}
