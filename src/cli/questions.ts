/** All questions of a run: the names of the command line, then those of the lists. */
import type { Order } from "./arguments.ts";
import { type Entry, readEntries } from "./entries.ts";
import type { Lists } from "./lists.ts";
import { plain } from "./plain.ts";
import { type Question, questionOf } from "./question.ts";
import { readWish } from "./wish.ts";

/** What questions are made of. */
export interface QuestionSources {
  order: Pick<Order, "wishes" | "lists" | "tlds">;
  enabled: readonly string[];
  lists: Pick<Lists, "open">;
  /** Told of each line that makes no question, and of a list that cannot be read; the others go on. */
  refuse: (why: string) => void;
}

/** Yields the questions; no more of a list is read than is asked for. */
export async function* readQuestions(
  { order, enabled, lists, refuse }: QuestionSources,
): AsyncGenerator<Question> {
  for (const wish of order.wishes) {
    const reading = questionOf(wish, enabled);
    if (reading.kind === "question") yield reading.question;
    else refuse(reading.why);
  }
  for (const path of order.lists) {
    const shown = path === "-" ? "stdin" : plain(path);
    try {
      for await (const entry of readEntries(await lists.open(path))) {
        const reading = questionOfEntry(entry, { order, enabled });
        if (reading.kind === "question") yield reading.question;
        else refuse(`${shown}:${entry.line}: ${plain(entry.text)}: ${reading.why}`);
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      refuse(`Cannot read ${shown}: ${plain(why)}`);
    }
  }
}

function questionOfEntry(
  { text }: Entry,
  { order, enabled }: Pick<QuestionSources, "order" | "enabled">,
): ReturnType<typeof questionOf> {
  const reading = readWish(text, order.tlds);
  return reading.kind === "wish" ? questionOf(reading.wish, enabled) : reading;
}
