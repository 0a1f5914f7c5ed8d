/** A sample of Prometheus' text format. */
export interface PrometheusSample {
  /** Of the family: without `_bucket`, `_sum` and `_count`. */
  family: string;
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A family: HELP, TYPE, and its samples. */
const FAMILY =
  /^# HELP (?<family>\w+) .+\n# TYPE \k<family> (?:counter|gauge|histogram)\n(?<lines>(?:\k<family>.*\n)*)/gmy;
const SAMPLE =
  /^(?<name>\w+)(?:\{(?<labels>(?:\w+="(?:[^"\\]|\\["\\n])*",?)*)\})? (?<value>[\d.e+-]+)$/;
const LABEL = /(?<name>\w+)=(?<value>"(?:[^"\\]|\\.)*")/g;

/** Reads the text format 0.0.4; throws if a part of it is no family, or a family or a series stands twice. */
export function parsePrometheus(text: string): PrometheusSample[] {
  const families = [...text.matchAll(FAMILY)];
  const lines = families.flatMap(([whole]) => whole.match(/.+/g) ?? []);
  const keys = lines.map((line) => line.replace(/ \S+$/, ""));
  if (families.map(([whole]) => whole).join("") !== text) throw new Error(`No families: ${text}`);
  if (new Set(keys).size < keys.length) throw new Error(`A line twice: ${text}`);
  return families.flatMap(({ groups: { family = "", lines = "" } = {} }) =>
    (lines.match(/.+/g) ?? []).map((line) => {
      const { name = "", labels = "", value } = SAMPLE.exec(line)?.groups ?? {};
      if (value === undefined) throw new Error(`Bad sample: ${line}`);
      // Labels escape what JSON does.
      const read = [...labels.matchAll(LABEL)].map(({ groups: { name = "", value = "" } = {} }) =>
        [name, JSON.parse(value)] as const
      );
      return { family, name, labels: Object.fromEntries(read), value: Number(value) };
    })
  );
}
