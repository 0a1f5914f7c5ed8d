/** One run of `deno task check`, from the first question to the exit status. */
import { forEachConcurrent } from "../flow/for_each_concurrent.ts";
import type { Order } from "./arguments.ts";
import type { Checker } from "./asker.ts";
import type { Lists } from "./lists.ts";
import { createMeter, type Meter } from "./meter.ts";
import { createPauses, type Pauses } from "./pauses.ts";
import { drawProgress } from "./progress.ts";
import { type Question, questionOf } from "./question.ts";
import { readQuestions } from "./questions.ts";
import { createRecordSheet } from "./record_sheet.ts";
import { isFree } from "./row.ts";
import { createScreen, type Screen } from "./screen.ts";
import { survey, UNSURVEYED } from "./survey.ts";
import { createTally } from "./tally.ts";
import type { Terminal } from "./terminal.ts";
import { createTextSheet } from "./text_sheet.ts";

/** The exit status: all answered; wrong use, or a line that is no name; something unknown; interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

/** An asker, or why there is none, in words for a person. */
export type Opening = { kind: "asker"; waiter: Checker } | { kind: "refused"; why: string };

/** What a run is made in. */
export interface Surroundings {
  terminal: Terminal;
  lists: Lists;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
  /** Opens whoever answers. */
  open(order: Order, pauses: Pauses): Promise<Opening>;
  now: () => number;
}

/** Asks all that was ordered and writes the answers; `canReread` tells whether its lists can be read twice. */
export async function run(
  order: Order,
  surroundings: Surroundings,
  { canReread }: { canReread: boolean },
): Promise<ExitCode> {
  const { terminal, lists, stop, open, now } = surroundings;
  const meter = createMeter(now);
  let surveyed = UNSURVEYED;
  using screen = createScreen(terminal, (columns) => {
    const standing = { done: meter.count, total: surveyed.total, perSecond: meter.perSecond() };
    return drawProgress(standing, columns);
  });
  const opening = await open(order, createPauses({ note: screen.note, stop, now }));
  if (stop.aborted) return 130;
  if (opening.kind === "refused") return screen.note(opening.why), 1;
  const { waiter } = opening;
  const refusal = refusalOf(order, waiter.tlds);
  if (refusal !== undefined) return screen.note(refusal), 1;
  const readAll = (refuse: (why: string) => void) =>
    readQuestions({ order, enabled: waiter.tlds, lists, refuse });
  if (canReread && (order.format === "text" || terminal.columns() > 0)) {
    surveyed = await survey(readAll(() => {}), stop);
  }
  return await answerAll(readAll, {
    order,
    surroundings,
    waiter,
    screen,
    meter,
    width: surveyed.width,
  });
}

async function answerAll(
  readAll: (refuse: (why: string) => void) => AsyncIterable<Question>,
  { order, surroundings, waiter, screen, meter, width }: {
    order: Order;
    surroundings: Surroundings;
    waiter: Checker;
    screen: Screen;
    meter: Meter;
    width: number;
  },
): Promise<ExitCode> {
  const { terminal: { colour, columns }, stop, now } = surroundings;
  const { format, onlyFree, concurrency: atOnce = waiter.atOnce } = order;
  const startedAt = now();
  const tally = createTally();
  const questions = readAll((why) => {
    tally.refuse();
    screen.note(why);
  });
  try {
    const sheet = format === "text"
      ? createTextSheet(screen.write, { colour, width })
      : await createRecordSheet(format, screen.write);
    await forEachConcurrent(questions, async (question) => {
      for await (const row of waiter.ask(question)) {
        // What comes after Ctrl-C was given up, not found out.
        if (stop.aborted) return;
        meter.add();
        tally.count(row);
        if (!onlyFree || isFree(row)) await sheet.add(question, row);
      }
      await sheet.finish(question);
    }, { atOnce, stop });
    screen.close();
    const summary = `${stop.aborted ? "Interrupted: " : ""}${tally.summary(now() - startedAt)}`;
    await sheet.end(summary);
    if (format !== "text" && (stop.aborted || columns() > 0)) screen.note(summary);
  } catch (error) {
    return afterWriteFault(error, screen);
  }
  return stop.aborted ? 130 : tally.exitCode();
}

/** Why the order cannot be carried out: a TLD that nobody here can check. */
function refusalOf({ wishes, tlds }: Order, enabled: readonly string[]): string | undefined {
  const chosen = tlds === undefined ? [] : [{ label: "", tlds }];
  for (const wish of [...chosen, ...wishes]) {
    const reading = questionOf(wish, enabled);
    if (reading.kind === "refused") return reading.why;
  }
  return undefined;
}

/** A reader that has seen enough, as `head`, is no fault; a full disk is one, but none of ours. */
function afterWriteFault(error: unknown, { note }: Screen): ExitCode {
  if (error instanceof Deno.errors.BrokenPipe) return 0;
  if (!(error instanceof Error && "code" in error)) throw error;
  note(`Cannot write: ${error.message}`);
  return 1;
}
