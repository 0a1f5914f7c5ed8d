/** What is printed from the table of options: `--help`, the man page, and completions for shells. */
import { type CommandWords, type OptionRow, OPTIONS, type SHELLS } from "./check_options.ts";

type Row = readonly [name: string, option: OptionRow];

const ROWS: readonly Row[] = Object.entries<OptionRow>(OPTIONS);
const COLUMNS = 80;
const OPTION_COLUMNS = 24;

const ABOUT =
  `A name is checked under every enabled TLD, a domain such as example.com or example.co.uk only under its own. ENS \
names are checked on request: example.eth, or --tld eth. Names in Unicode are converted: café is checked as xn--caf-dma.`;

const NOTES = [
  `Generated names are tried under .online, .site, .store, .tech and Radix's other TLDs only with --tld: Radix has \
suspended names that programs had made.`,
  `Invalid lines are reported with their number and skipped. Lists are streamed. Without --url each registry has its own \
queue, and a fast one gets up to 2,000 names ahead of the slowest. The results of a list are in no order without --sort. \
On a terminal, a name of a list with several TLDs is one line, shown once all of them are known. Results are cached for a \
while: after Ctrl-C the same command resumes where it stopped.`,
  `A domain whose registry asks for a pause, or has too many look-ups queued, is checked again after that time: up to three \
times, and 90 s in all for a name, or 20 s in a run without a list. With --url each time costs one more request for all \
such TLDs of the name.`,
  `The file domain-availability/config.json in the user's configuration folder may set ${
    ROWS.filter(([, { isDefault }]) => isDefault).map(([name]) => name).join(", ")
  }: {"tld": ["com", "io"]}. Options that are typed replace them.`,
];

const EXIT =
  "0 all checked; 1 wrong usage, no names or an invalid line; 2 at least one result is unknown; 130 interrupted by Ctrl-C";
const MORE_OF_EXIT = "after a summary (a second Ctrl-C exits at once)";

/** The text of `--help`, which fits on one screen; what it leaves out is on the man page. */
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

/** The man page, in roff. */
export function manPageOf({ program, forms = [] }: CommandWords, version: string): string {
  const options = ROWS.map((row) =>
    `.TP\n\\fB${roff(signatureOf(row))}\\fR\n${roff(sentenceOf(row[1].about, row[1].more))}`
  );
  return `.TH ${program.toUpperCase()} 1 "" "${program} ${version}"
.SH NAME
${roff(program)} \\- check whether domain names are available
.SH SYNOPSIS
.B ${roff(program)}
[\\fIname\\fR ...] [\\fIoptions\\fR]
.SH DESCRIPTION
${[ABOUT, ...NOTES, ...forms.map((form) => `${program} ${form}`)].map(roff).join("\n.PP\n")}
.SH OPTIONS
${options.join("\n")}
.SH EXIT STATUS
${roff(`${EXIT}, ${MORE_OF_EXIT}.`)}`;
}

function sentenceOf(about: string, more: string | undefined): string {
  return more === undefined ? about : `${about}; ${more}`;
}

/** A line of text, which roff would else read as an escape or a request. */
function roff(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^(?=[.'])/, "\\&");
}

const PRINTERS: Readonly<Record<typeof SHELLS[number], (program: string) => string>> = {
  bash(program) {
    const cases = ROWS.filter(([, { takes }]) => takes !== undefined).map(
      ([name, { values = [] }]) => {
        const choice = values === "path" ? "-f" : `-W "${values.join(" ")}"`;
        return `    --${name}) COMPREPLY=($(compgen ${choice} -- "$word")); return ;;`;
      },
    );
    return `_${idOf(program)}() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[COMP_CWORD - 1]} in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "${ROWS.map(([name]) => `--${name}`).join(" ")}" -- "$word"))
}
complete -F _${idOf(program)} ${program}`;
  },
  zsh(program) {
    const specs = ROWS.flatMap(([name, { short, takes, about, values = [], multiple }]) => {
      const choice = values === "path"
        ? "_files"
        : values.length === 0
        ? " "
        : `(${values.join(" ")})`;
      const value = takes === undefined ? "" : `:${takes}:${choice}`;
      const words = about.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
      const flags = short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
      return flags.map((flag) => `  '${multiple ? "*" : ""}${flag}[${words}]${value}'`);
    });
    return `#compdef ${program}\n_arguments \\\n${[...specs, "  '*:name: '"].join(" \\\n")}`;
  },
  fish(program) {
    return ROWS.map(([name, { short, takes, about, values = [] }]) => {
      const choice = values === "path"
        ? " -r -F"
        : takes === undefined
        ? ""
        : ` -x -a '${values.join(" ")}'`;
      const words = about.replace(/[\\']/g, "\\$&");
      return `complete -c ${program} -f -l ${name}${
        short ? ` -s ${short}` : ""
      }${choice} -d '${words}'`;
    }).join("\n");
  },
};

function idOf(program: string): string {
  return program.replaceAll(/\W/g, "_");
}

/** The script that completes the command in a shell. */
export function completionsOf(shell: typeof SHELLS[number], { program }: CommandWords): string {
  return PRINTERS[shell](program);
}
