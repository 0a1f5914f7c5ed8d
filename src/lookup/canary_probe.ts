/** The canary test of a registry: asks it about names whose answers are known. */
import type { Priority, WaitOptions } from "../flow/upstream_host.ts";
import type { Canary, DnsAnswer } from "../rules/answer.ts";
import {
  CANARY_SEEDS,
  type DelegatedProbe,
  DOUBTED,
  judgeCanary,
  templateOfDenial,
} from "../rules/canary.ts";
import type { Template } from "../rules/readers/templates.ts";
import { toAsciiName } from "../rules/name.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { AskRegistry } from "./registries.ts";
import type { ResolverCanary } from "./resolver_canary.ts";

/** Tests registries on labels that DNS has shown to be delegated. */
export interface CanaryProbe {
  /** Tests the registry of a row; calls `onDenial` and waits for it as soon as it denies a registered name. */
  test(
    row: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
  ): Promise<Canary>;
  /** Asks about a random name; undefined unless the registry denies it and says nothing against it. */
  askRandom(row: TldRow, label: string, priority: Priority): Promise<Template | undefined>;
  /** Records a label that is delegated under the TLD, to test with. */
  noteDelegated(tld: string, label: string): void;
  /** The labels to test the TLD with, in order. */
  labelsOf(tld: string): readonly string[];
}

/** What a registry answered about a made-up name. */
type MadeUp = Parameters<typeof judgeCanary>[1];

const SEEN_PER_TLD = 3;
/** Registered names to ask about until one is confirmed; a denied name is asked about twice. */
const MAX_NAMES = 2;

/** Creates the probe over `ask` and DNS. */
export function createCanaryProbe(
  { ask, isDelegated, resolver }: {
    ask: AskRegistry;
    isDelegated: (domain: string, wait: WaitOptions) => Promise<DnsAnswer>;
    resolver: Pick<ResolverCanary, "note">;
  },
): CanaryProbe {
  const seen = new Map<string, string[]>();
  const labelsOf = (tld: string) => [...new Set([...CANARY_SEEDS, ...(seen.get(tld) ?? [])])];

  async function askDelegated(
    { tld, rdapBase }: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
  ): Promise<DelegatedProbe[]> {
    const labels = labelsOf(tld);
    const found = await Promise.all(
      labels.map((label) => isDelegated(`${label}.${tld}`, { priority })),
    );
    const delegated = labels.filter((_, place) => found[place]?.kind === "delegated");
    resolver.note(tld, delegated.length > 0);
    const probes: DelegatedProbe[] = [];
    const askOnce = async (label: string) => {
      const answer = await ask(rdapBase, `${label}.${tld}`, placeOf(priority));
      probes.push({ label, answer });
      return answer.kind;
    };
    for (const label of delegated.slice(0, MAX_NAMES)) {
      if (await askOnce(label) === "notFound") {
        await onDenial(DOUBTED);
        await askOnce(label);
      }
      if (probes.at(-1)?.answer.kind === "registered") break;
    }
    return probes;
  }

  /** Questions about made-up names that have been sent, by TLD and base. */
  const sent = new Map<string, Promise<MadeUp>>();

  /**
   * Asks about a made-up name, or shares such a question that has been sent: a client's test is not to wait for one of the
   * background, but what that has sent would cost a paced host another turn.
   */
  function askMadeUp({ tld, rdapBase }: TldRow, priority: Priority): Promise<MadeUp> {
    const key = `${tld} ${rdapBase}`;
    const known = sent.get(key);
    if (known !== undefined) return known;
    const label = madeUpLabel();
    const asked = { label, domain: `${label}.${tld}` };
    const { promise, resolve } = Promise.withResolvers<MadeUp>();
    const wait = { ...placeOf(priority), onWait: () => void sent.set(key, promise) };
    resolve(ask(rdapBase, asked.domain, wait).then((answer) => ({ asked, answer })));
    return promise.finally(() => sent.delete(key));
  }

  return {
    labelsOf,
    async askRandom({ tld, rdapBase }, label, priority) {
      const domain = `${label}.${tld}`;
      return templateOfDenial(await ask(rdapBase, domain, placeOf(priority)), { label, domain });
    },
    async test(row, priority, onDenial) {
      // Under the TLD itself: registries answer differently under TLDs of one host.
      const [denial, delegated] = await Promise.all([
        askMadeUp(row, priority),
        askDelegated(row, priority, onDenial),
      ]);
      return judgeCanary(delegated, denial);
    },
    noteDelegated(tld, label) {
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
  };
}

/** All clients that need its result wait for a test. */
function placeOf(priority: Priority): { priority: Priority } {
  return { priority: priority === "foreground" ? "first" : priority };
}

/** Random letters, 30 unless told otherwise: such a name is neither registered nor reserved. */
export function madeUpLabel(length = 30): string {
  return Array.from({ length }, () => oneOf(LETTERS)).join("");
}

/**
 * A random label of the same form: registries may answer otherwise about hyphens, digits and other scripts. It has at
 * least twelve characters, so that it is most likely not registered.
 */
export async function madeUpLabelLike(label: string): Promise<string> {
  if (label.startsWith("xn--")) {
    const { readALabel, unicodeOf } = await import("./a_label.ts");
    const own = [...unicodeOf(label) ?? ""];
    const letters = Array.from({ length: LEAST_LENGTH }, () => oneOf(own));
    const made = toAsciiName([...own, ...letters].join("")) ?? "";
    return made.startsWith("xn--") && readALabel(made).kind === "valid" ? made : madeUpLabel();
  }
  const same = Array.from(
    label,
    (sign) => sign === "-" ? sign : oneOf(/\d/.test(sign) ? DIGITS : LETTERS),
  );
  return same.join("") + madeUpLabel(Math.max(0, LEAST_LENGTH - label.length));
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];
const LEAST_LENGTH = 12;

function oneOf(signs: readonly string[]): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return signs[random % signs.length] ?? "";
}
