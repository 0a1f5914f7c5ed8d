/** A line of Prometheus' text format. */
export interface PrometheusSample {
  /** Of the family: without `_bucket`, `_sum` and `_count`. */
  family: string;
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
const ESCAPED: Readonly<Record<string, string>> = { "\\n": "\n", "\\\\": "\\", '\\"': '"' };

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its description: HELP, then TYPE, then the family's samples, each
 * series once. Throws at the first line that is anything else.
 */
export function parsePrometheus(text: string): PrometheusSample[] {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const samples: PrometheusSample[] = [];
  const series = new Set<string>();
  const families = new Set<string>();
  let help = "";
  let family = { name: "", type: "" };
  for (const line of text.slice(0, -1).split("\n")) {
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (families.has(name) || !NAME.test(name) || rest === "") {
        throw new Error(`Bad HELP: ${line}`);
      }
      families.add(help = name);
    } else if (word === "TYPE") {
      if (name !== help || !/^(counter|gauge|histogram)$/.test(rest)) {
        throw new Error(`Bad TYPE: ${line}`);
      }
      family = { name, type: rest };
    } else {
      const sample = readSample(line);
      const suffix = sample.name.slice(family.name.length);
      const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      if (!sample.name.startsWith(family.name) || !suffixes.includes(suffix)) {
        throw new Error(`Not of ${family.name}: ${line}`);
      }
      const key = line.slice(0, line.lastIndexOf(" "));
      if (series.has(key)) throw new Error(`Twice: ${key}`);
      series.add(key);
      samples.push({ family: family.name, ...sample });
    }
  }
  return samples;
}

function readSample(line: string): Omit<PrometheusSample, "family"> {
  const { name = "", labels = "", value = "" } = SAMPLE.exec(line)?.groups ?? {};
  const number = Number(value.replace("Inf", "Infinity"));
  if (name === "" || value === "" || Number.isNaN(number)) throw new Error(`Bad sample: ${line}`);
  const found: Record<string, string> = {};
  let read = 0;
  for (const match of labels.matchAll(LABEL)) {
    const { name = "", value = "" } = match.groups ?? {};
    if (name in found) throw new Error(`Label twice: ${line}`);
    found[name] = value.replace(/\\./g, (pair) => ESCAPED[pair] ?? pair);
    read += match[0].length;
  }
  if (read !== labels.length) throw new Error(`Bad labels: ${line}`);
  return { name, labels: found, value: number };
}
