import { CSV_HEADER, csvOf } from "./csv.ts";
import { COMMANDS } from "./plain.ts";
import { recordOf, type Row } from "./row.ts";
import type { Sheet } from "./sheet.ts";

interface Format {
  head: string;
  of(row: Row): string;
  between: string;
  tail: string;
}

const FORMATS: Readonly<Record<"json" | "ndjson" | "csv", Format>> = {
  /** One document, of which every line can be used as it arrives. */
  json: { head: "[\n", of: jsonOf, between: ",\n", tail: "\n]\n" },
  ndjson: { head: "", of: (row) => `${jsonOf(row)}\n`, between: "", tail: "" },
  csv: { head: CSV_HEADER, of: csvOf, between: "", tail: "" },
};

/** Creates a sheet for programs: a record a row, in the order of arrival. */
export async function createRecordSheet(
  name: keyof typeof FORMATS,
  write: (text: string) => Promise<void>,
): Promise<Sheet> {
  const { head, of, between, tail } = FORMATS[name];
  let first = true;
  if (head !== "") await write(head);
  return {
    async add(_question, row) {
      const gap = first ? "" : between;
      first = false;
      await write(`${gap}${of(row)}`);
    },
    finish: () => Promise.resolve(),
    end: () => write(tail),
  };
}

/** To a program an escape is what it stands for; a terminal must not obey what a service sends. */
function jsonOf(row: Row): string {
  return JSON.stringify(recordOf(row)).replace(COMMANDS, toEscapes);
}

function toEscapes(character: string): string {
  return character.split("").map((unit) => `\\u${hexOf(unit)}`).join("");
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, "0");
}
