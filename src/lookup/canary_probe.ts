/** The canary test of a registry: asks it about names whose answers are known. */
import type { Priority } from "../flow/queue/gate.ts";
import type { Canary } from "../rules/answer.ts";
import { CANARY_SEEDS, type DelegatedProbe, DOUBTED, judgeCanary } from "../rules/canary.ts";
import type { TldRow } from "../rules/tables/tlds.ts";
import type { AskRegistry } from "./registries.ts";
import type { Resolvers } from "./resolvers.ts";

/** Tests registries on labels that DNS has shown to be delegated. */
export interface CanaryProbe {
  /** Tests the registry of a row; calls `onDenial` and waits for it as soon as it denies a registered name. */
  test(
    row: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
  ): Promise<Canary>;
  /** Records a label that is delegated under the TLD, to test with. */
  noteDelegated(tld: string, label: string): void;
  /** The labels to test the TLD with, in order. */
  labelsOf(tld: string): readonly string[];
}

const SEEN_PER_TLD = 3;
/** Registered names to ask about until one is confirmed; a denied name is asked about twice. */
const MAX_NAMES = 2;

/** Creates the probe over `ask` and DNS. */
export function createCanaryProbe(
  { ask, resolvers }: {
    ask: AskRegistry;
    resolvers: Pick<Resolvers, "isDelegated" | "noteAnswers">;
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
      labels.map((label) => resolvers.isDelegated(`${label}.${tld}`, { priority })),
    );
    resolvers.noteAnswers(tld, found);
    const delegated = labels.filter((_, place) => found[place]?.kind === "delegated");
    const probes: DelegatedProbe[] = [];
    const askOnce = async (label: string) => {
      const answer = await ask(rdapBase, `${label}.${tld}`, { priority });
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

  return {
    labelsOf,
    async test(row, priority, onDenial) {
      const label = madeUpLabel();
      const asked = { label, domain: `${label}.${row.tld}` };
      // Under the TLD itself: registries answer differently under TLDs of one host.
      const [answer, delegated] = await Promise.all([
        ask(row.rdapBase, asked.domain, { priority }),
        askDelegated(row, priority, onDenial),
      ]);
      return judgeCanary(delegated, { asked, answer });
    },
    noteDelegated(tld, label) {
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
  };
}

/** 30 random letters: such a name is neither registered nor reserved. */
export function madeUpLabel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(30));
  return String.fromCharCode(...bytes.map((byte) => 97 + byte % 26));
}
