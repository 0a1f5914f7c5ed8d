/** Tests of registries: each is asked what is known already. */
import type { Lane, Turn } from "../flow/gate.ts";
import type { Canary, DnsAnswer, RdapAnswer } from "../rules/answer.ts";
import { CANARY_SEEDS, DENIALS_TO_FAIL, judgeCanary } from "../rules/canary.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { AskRegistry } from "./registry.ts";

/** Tests registries, on names that it is told of. */
export interface CanaryProbe {
  /** Tests the registry of a row. */
  test(row: TldRow, lane: Lane): Promise<Canary>;
  /** Takes note of a label that DNS showed to be delegated under the TLD: something to test with. */
  noteDelegated(tld: string, label: string): void;
}

const SEEN_PER_TLD = 3;

/** Creates the probe over `ask` and DNS. */
export function createCanaryProbe(
  { ask, isDelegated }: {
    ask: AskRegistry;
    isDelegated: (domain: string, turn: Turn) => Promise<DnsAnswer>;
  },
): CanaryProbe {
  const seen = new Map<string, string[]>();

  async function askDelegated({ tld, rdapBase }: TldRow, lane: Lane): Promise<RdapAnswer[]> {
    const labels = [...new Set([...CANARY_SEEDS, ...(seen.get(tld) ?? [])])];
    const found = await Promise.all(
      labels.map((label) => isDelegated(`${label}.${tld}`, { lane })),
    );
    const answers: RdapAnswer[] = [];
    for (const label of labels.filter((_, place) => found[place]?.kind === "delegated")) {
      const answer = await ask(rdapBase, `${label}.${tld}`, { lane });
      answers.push(answer);
      if (answer.kind === "registered" || answers.length >= DENIALS_TO_FAIL) break;
    }
    return answers;
  }

  return {
    async test(row, lane) {
      const [madeUp, delegated] = await Promise.all([
        ask(row.rdapBase, `${madeUpLabel()}.${row.tld}`, { lane }),
        askDelegated(row, lane),
      ]);
      return judgeCanary(delegated, madeUp);
    },
    noteDelegated(tld, label) {
      const labels = seen.get(tld) ?? [];
      if (labels.includes(label)) return;
      seen.set(tld, [label, ...labels].slice(0, SEEN_PER_TLD));
    },
  };
}

/** 30 letters: nobody holds such a name, and no registry can have kept it back. */
function madeUpLabel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(30));
  return String.fromCharCode(...bytes.map((byte) => 97 + byte % 26));
}
