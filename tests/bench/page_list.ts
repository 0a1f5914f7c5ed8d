/// <reference lib="dom" />
import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { browse, launch } from "../browser/browse.ts";
import { findChromium } from "../browser/chromium.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { freshLabel } from "./service_checks.ts";

const NAMES = 150;
const LIMIT_MS = 15 * 60_000;
const EARLY_MS = 10_000;

/** What the page has shown at a time: the end that it tells, and how many cells are unknown or without an answer. */
interface Shown {
  ms: number;
  end: string;
  unknown: number;
  open: number;
}

/** How well the page tells when a long list ends. */
export const pageList: Benchmark = {
  name: "page_list",
  about: `${NAMES} names under seven TLDs in Chromium, at the usual limit and paces (five minutes)`,
  async *rows() {
    if (findChromium() === undefined) {
      yield { what: "not measured", measured: { "no Chromium": "install it, or set CHROMIUM" } };
      return;
    }
    await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
    await using service = await startService(lab, {
      env: { RATE_LIMIT: "60" },
      paceOf: hostPolicy,
    });
    await service.services.renewCanaries();
    await using browser = await launch();
    await using browsing = await browse(browser, service.url);
    const { page } = browsing;
    const names = Array.from({ length: NAMES }, freshLabel).join("+");
    const startedAt = performance.now();
    await page.goto(`/?q=${names}`);
    const seen: Shown[] = [];
    for (;;) {
      const shown = await page.evaluate(() => ({
        end: document.getElementById("end")?.textContent ?? "",
        unknown: document.querySelectorAll('.cell[data-state="unknown"]').length,
        open: document.querySelectorAll(
          ':is([data-state="waiting"], [data-state="checking"], [data-state="pending"]).cell',
        ).length,
        isDone: document.querySelector("#results.done") !== null,
      }));
      const ms = performance.now() - startedAt;
      seen.push({ ms, ...shown });
      if (shown.isDone || ms > LIMIT_MS) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const endedMs = seen.at(-1)?.ms ?? NaN;
    const early = seen.find(({ ms, end }) => ms >= EARLY_MS && end !== "");
    const told = early === undefined ? NaN : early.ms + readMs(early.end);
    yield {
      what: `${NAMES * 7} cells in ${Math.round(endedMs / 1_000)} s`,
      measured: {
        "end first told after": `${Math.round(seen.find(({ end }) => end !== "")?.ms ?? NaN)} ms`,
        "told first": seen.find(({ end }) => end !== "")?.end ?? "",
        "end told after ten seconds": `${Math.round(told / 1_000)} s`,
        "off by": `${Math.round(Math.abs(told / endedMs - 1) * 100)} %`,
        "unknown at most while others wait": `${
          Math.max(0, ...seen.filter(({ open }) => open > 0).map(({ unknown }) => unknown))
        }`,
        "unknown at the end": `${seen.at(-1)?.unknown}`,
      },
      target: "≤ 2,000 ms, off by ≤ 30 %, 0 unknown",
    };
  },
};

/** Reads "1045 to go, about 5 min". */
function readMs(end: string): number {
  const [, amount, unit] = /about (\d+) (s|min)$/.exec(end) ?? [];
  return unit === "min" ? Number(amount) * 60_000 : Number(amount) * 1_000;
}
