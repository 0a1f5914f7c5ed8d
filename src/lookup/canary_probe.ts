/** The canary test of a registry: asks it about names whose answers are known. */
import type { Priority } from "../flow/gate.ts";
import type { Canary, RdapAnswer } from "../rules/answer.ts";
import { CANARY_SEEDS, type DelegatedProbe, DOUBTED, judgeCanary } from "../rules/canary.ts";
import type { TldRow } from "../rules/tlds.ts";
import type { AskRegistry } from "./registries.ts";
import type { Resolvers } from "./resolvers.ts";

/** How a test is made. */
export interface ProbeTestOptions {
  /** Whether a made-up name is asked about under this TLD, even if one was under another TLD of the host just now. */
  ownWording?: boolean;
}

/** A question for a made-up name, and its answer. */
interface MadeUp {
  readonly at: number;
  readonly asked: { label: string; domain: string };
  readonly answer: Promise<RdapAnswer>;
}

/** Tests registries on labels that DNS has shown to be delegated. */
export interface CanaryProbe {
  /** Tests the registry of a row; calls `onDenial` and waits for it as soon as it denies a registered name. */
  test(
    row: TldRow,
    priority: Priority,
    onDenial: (doubted: Canary) => Promise<void>,
    options?: ProbeTestOptions,
  ): Promise<Canary>;
  /** Records a label that is delegated under the TLD, to test with. */
  noteDelegated(tld: string, label: string): void;
  /** The labels to test the TLD with, in order. */
  labelsOf(tld: string): readonly string[];
}

const SEEN_PER_TLD = 3;
/** Registered names to ask about until one is confirmed; a denied name is asked about twice. */
const MAX_NAMES = 2;
/**
 * How long the 404 for a made-up name counts for the other TLDs of its host: a first check of all TLDs asks a paced host
 * once, not once for each of its TLDs. Where their wordings differ, a retest asks under the TLD itself.
 */
const SHARED_MS = 10_000;

/** Creates the probe over `ask` and DNS. */
export function createCanaryProbe(
  { ask, resolvers, monotonic }: {
    ask: AskRegistry;
    resolvers: Pick<Resolvers, "isDelegated" | "noteAnswers">;
    monotonic: () => number;
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

  const madeUp = new Map<string, MadeUp>();

  function askMadeUp({ tld, rdapBase }: TldRow, priority: Priority, ownWording: boolean): MadeUp {
    const { host } = new URL(rdapBase);
    const last = madeUp.get(host);
    // Background tests take their time: each asks under its own TLD.
    const mayShare = priority === "foreground" && !ownWording;
    if (mayShare && last !== undefined && monotonic() - last.at < SHARED_MS) return last;
    const label = madeUpLabel();
    const asked = { label, domain: `${label}.${tld}` };
    const answer = ask(rdapBase, asked.domain, { priority });
    const question = { at: monotonic(), asked, answer };
    if (!mayShare) return question;
    madeUp.set(host, question);
    // A failure must not decide later tests.
    void answer.then(({ kind }) => kind !== "notFound" && madeUp.delete(host));
    return question;
  }

  return {
    labelsOf,
    async test(row, priority, onDenial, { ownWording = false } = {}) {
      const { asked, answer } = askMadeUp(row, priority, ownWording);
      const [reply, delegated] = await Promise.all([answer, askDelegated(row, priority, onDenial)]);
      if (reply.kind !== "registered" || asked.domain.endsWith(`.${row.tld}`)) {
        return judgeCanary(delegated, { asked, answer: reply });
      }
      // The host has a record of every name under another TLD, which says nothing about this one.
      const own = askMadeUp(row, priority, true);
      return judgeCanary(delegated, { asked: own.asked, answer: await own.answer });
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
