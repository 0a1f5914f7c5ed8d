import { lineOf } from "./line.ts";
import type { Question } from "./question.ts";
import type { Row } from "./row.ts";
import type { Sheet } from "./sheet.ts";

/** The rows of a name that has to wait for another one's end. */
interface Group {
  rows: Row[];
  finished: boolean;
  written: PromiseWithResolvers<void>;
}

/**
 * Creates a sheet for people. The rows of a name stay together: one name is shown live, and the others wait for its
 * end. A name that is to be waited for is not finished, which keeps what waits as small as what is under way.
 */
export function createTextSheet(
  write: (text: string) => Promise<void>,
  { colour, width }: { colour: boolean; width: number },
): Sheet {
  const waiting = new Map<Question, Group>();
  let live: Question | undefined;
  let before: "nothing" | "line" | "group" = "nothing";

  function headOf({ label, tlds }: Question): string {
    const grouped = tlds.length > 1;
    const gap = before === "group" || (before === "line" && grouped) ? "\n" : "";
    before = grouped ? "group" : "line";
    if (!grouped) return gap;
    return `${gap}${colour ? `\x1b[1m${label}\x1b[0m` : label}\n`;
  }

  function bodyOf({ label, tlds }: Question, rows: readonly Row[]): string {
    if (tlds.length === 1) return rows.map((row) => `${lineOf(row, { colour, width })}\n`).join("");
    const own = label.length + 1 + Math.max(...tlds.map((tld) => tld.length));
    return rows.map((row) => `  ${lineOf(row, { colour, width: own })}\n`).join("");
  }

  /** Takes out of the waiting what is to be written; nothing else can come in between. */
  async function release(groups: readonly (readonly [Question, Group])[]): Promise<void> {
    const texts = groups.map(([question, { rows }]) => {
      waiting.delete(question);
      return headOf(question) + bodyOf(question, rows);
    });
    if (texts.length > 0) await write(texts.join(""));
    for (const [, { written }] of groups) written.resolve();
  }

  return {
    async add(question, row) {
      const group = waiting.get(question);
      if (group !== undefined) return void group.rows.push(row);
      if (live === question) return await write(bodyOf(question, [row]));
      if (live !== undefined) {
        const written = Promise.withResolvers<void>();
        return void waiting.set(question, { rows: [row], finished: false, written });
      }
      live = question;
      await write(headOf(question) + bodyOf(question, [row]));
    },
    async finish(question) {
      const group = waiting.get(question);
      if (group !== undefined) {
        group.finished = true;
        return await group.written.promise;
      }
      if (live !== question) return;
      const finished = [...waiting].filter(([, { finished }]) => finished);
      const next = [...waiting].find(([, { finished }]) => !finished);
      live = next?.[0];
      await release(next === undefined ? finished : [...finished, next]);
    },
    async end(summary) {
      await release([...waiting]);
      await write(before === "nothing" ? `${summary}\n` : `\n${summary}\n`);
    },
  };
}
