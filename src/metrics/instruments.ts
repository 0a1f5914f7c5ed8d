/** Counters, levels and histograms as plain numbers by label values, whose counting costs one map look-up; and their text for Prometheus. */

/** A number, and the values of its family's labels in their order. */
export interface Sample<Value = number> {
  readonly labels: readonly string[];
  value: Value;
}

/** A histogram's data for one combination of label values. */
interface Distribution {
  /** By bucket, how many values were at most its bound and above the bound before; the last has no bound. */
  readonly counts: number[];
  sum: number;
}

/** A metric family: name, help text and current samples. */
export type Family =
  & { readonly name: string; readonly help: string; readonly labels: readonly string[] }
  & (
    | { readonly type: "counter" | "gauge"; samples(): Iterable<Sample> }
    | {
      readonly type: "histogram";
      readonly bounds: readonly number[];
      samples(): Iterable<Sample<Distribution>>;
    }
  );

/** A counter. Label values come from closed sets, because each value is a new series. */
interface Counter<Values extends readonly string[]> {
  add(amount: number, ...labels: Values): void;
}

/** Records durations in ms; they are exported in seconds. */
interface Histogram<Values extends readonly string[]> {
  observe(ms: number, ...labels: Values): void;
}

type Names<Values extends readonly string[]> = { readonly [Place in keyof Values]: string };

/** Upper bounds in seconds: from a local KV to the longest wait in a queue. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Creates a counter, or with type `gauge` a value that goes up and down. */
export function createCounter<Values extends readonly string[]>(
  { name, help, labels, type = "counter" }: {
    name: string;
    help: string;
    labels: Names<Values>;
    type?: "counter" | "gauge";
  },
): Counter<Values> & Extract<Family, { type: "counter" | "gauge" }> {
  const series = createSeries(() => 0);
  return {
    name,
    help,
    labels,
    type,
    samples: series.all,
    add(amount, ...values) {
      series.of(values).value += amount;
    },
  };
}

/** Creates a histogram. */
export function createHistogram<Values extends readonly string[]>(
  { name, help, labels }: { name: string; help: string; labels: Names<Values> },
): Histogram<Values> & Family {
  const series = createSeries<Distribution>(() => ({
    counts: new Array<number>(BOUNDS.length + 1).fill(0),
    sum: 0,
  }));
  return {
    name,
    help,
    labels,
    type: "histogram",
    bounds: BOUNDS,
    samples: series.all,
    observe(ms, ...values) {
      const seconds = ms / 1_000;
      const { value } = series.of(values);
      let bucket = 0;
      while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++;
      value.counts[bucket]!++;
      value.sum += seconds;
    },
  };
}

/** A tree by label value: strings cache their hashes, while a joined key would be hashed each time. */
interface Node<Value> {
  sample: Sample<Value> | undefined;
  next: Map<string, Node<Value>> | undefined;
}

/** The samples of a family by their label values. */
function createSeries<Value>(zero: () => Value) {
  const samples: Sample<Value>[] = [];
  const root: Node<Value> = { sample: undefined, next: undefined };

  function grow(node: Node<Value>, label: string): Node<Value> {
    const grown: Node<Value> = { sample: undefined, next: undefined };
    node.next ??= new Map();
    node.next.set(label, grown);
    return grown;
  }

  function open(node: Node<Value>, labels: readonly string[]): Sample<Value> {
    node.sample = { labels: [...labels], value: zero() };
    samples.push(node.sample);
    return node.sample;
  }

  return {
    all: () => samples,
    of(labels: readonly string[]): Sample<Value> {
      let node = root;
      for (let place = 0; place < labels.length; place++) {
        const label = labels[place]!;
        node = node.next?.get(label) ?? grow(node, label);
      }
      return node.sample ?? open(node, labels);
    },
  };
}

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
