/** Prometheus text format 0.0.4. */
import type { Distribution, Family, Sample } from "./instruments.ts";

/** Formats families, each with HELP and TYPE before its samples. */
export function formatMetrics(families: Iterable<Family>): string {
  let text = "";
  for (const family of families) {
    text += `# HELP ${family.name} ${escapeHelp(family.help)}\n`;
    text += `# TYPE ${family.name} ${family.type}\n`;
    text += linesOf(family).join("");
  }
  return text;
}

function linesOf(family: Family): string[] {
  const { name, labels } = family;
  if (family.type !== "histogram") {
    return [...family.samples()].map((sample) =>
      line(name, pairsOf(labels, sample.labels), sample.value)
    );
  }
  return [...family.samples()].flatMap((sample) => distributionLines(family, sample));
}

function distributionLines(
  { name, labels, bounds }: Extract<Family, { type: "histogram" }>,
  { labels: values, value: { counts, sum } }: Sample<Distribution>,
): string[] {
  const pairs = pairsOf(labels, values);
  let count = 0;
  const buckets = counts.map((inBucket, place) => {
    count += inBucket;
    const bound = place < bounds.length ? numberText(bounds[place]!) : "+Inf";
    return line(`${name}_bucket`, [...pairs, `le="${bound}"`], count);
  });
  return [...buckets, line(`${name}_sum`, pairs, sum), line(`${name}_count`, pairs, count)];
}

function line(name: string, pairs: readonly string[], value: number): string {
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}\n`;
}

function pairsOf(labels: readonly string[], values: readonly string[]): string[] {
  return labels.map((label, place) => `${label}="${escapeValue(values[place] ?? "")}"`);
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
