/** What `--help` prints from the table of options. */
import { type CommandWords, type OptionRow, OPTIONS } from "./check_options.ts";

type Row = readonly [name: string, option: OptionRow];

const ROWS: readonly Row[] = Object.entries<OptionRow>(OPTIONS);
const COLUMNS = 80;
const OPTION_COLUMNS = 24;

const ABOUT =
  `A name is checked under every enabled TLD, a domain such as example.com or example.co.uk only under its own. ENS \
names are checked on request: example.eth, or --tld eth. Names in Unicode are converted: café is checked as xn--caf-dma.`;

const EXIT =
  "0 all checked; 1 wrong usage, no names or an invalid line; 2 at least one result is unknown; 130 interrupted by Ctrl-C";

/** The text of `--help`, which fits on one screen. */
export function usageOf({ name: command, forms = [] }: CommandWords): string {
  const options = ROWS.map((row) => `  ${signatureOf(row)}`.padEnd(OPTION_COLUMNS) + row[1].about);
  return `Usage: ${command} <name…> [options]
       ${
    forms.map((form) => `${command} ${form}\n       `).join("")
  }some-command | ${command} [options]

${wrapped(ABOUT).join("\n")}

${options.join("\n")}

${wrapped(`Exit status: ${EXIT}`).join("\n")}

Examples:
  ${command} example example.io --json
  ${command} --file names.txt --tld com,net --available
  ${command} example --url https://domains.example.org`;
}

function signatureOf([name, { short, takes }]: Row): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${
    takes === undefined ? "" : ` ${takes}`
  }`;
}

function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= COLUMNS) lines.splice(-1, 1, line);
    else lines.push(word);
  }
  return lines;
}
