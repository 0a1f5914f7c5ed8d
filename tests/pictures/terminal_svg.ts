/** Renders a terminal's output as SVG that moves. */

const SIZE = { font: 14, column: 8.45, line: 21, margin: 18 };

/** The SGR codes in use and their classes. */
const CLASSES: Readonly<Record<string, string>> = {
  "1": "bold",
  "31": "red",
  "32": "green",
  "33": "yellow",
  "35": "magenta",
  "36": "cyan",
};

const STYLE = `
    text { font: ${SIZE.font}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
    g { animation: appear 0.01s both; }
    @keyframes appear { from { visibility: hidden; } }
    @media (prefers-reduced-motion: reduce) { g { animation: none; } }
    .screen { fill: #f6f8fa; stroke: #d0d7de; }
    .bold { font-weight: 600; }
    .red { fill: #cf222e; } .green { fill: #116329; } .yellow { fill: #7d4e00; }
    .magenta { fill: #8250df; } .cyan { fill: #0b6477; } .prompt { fill: #59636e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .screen { fill: #0d1117; stroke: #30363d; }
      .red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; }
      .magenta { fill: #d2a8ff; } .cyan { fill: #76e3ea; } .prompt { fill: #9198a1; }
    }
  `;

interface Run {
  text: string;
  className: string;
  column: number;
}

/** How long a command stands alone, and each line below it, until the next line appears, in s. */
const PAUSES = { command: 0.9, line: 0.25 };

/**
 * Draws the text in its colours, for light and dark, one line after the other, unless a reader prefers less motion; `about`
 * is the alternative text.
 */
export function terminalSvg(text: string, about: string): string {
  const lines = text.trimEnd().split("\n").map(readLine);
  const columns = Math.max(...lines.map(lengthOf));
  const width = Math.ceil(columns * SIZE.column + 2 * SIZE.margin);
  const height = lines.length * SIZE.line + 2 * SIZE.margin;
  let delay = 0;
  const rows = lines.flatMap((runs, line) => {
    if (runs.length === 0) return [];
    const isCommand = runs[0]?.className === "prompt";
    const drawn = [
      `  <g style="animation-delay: ${delay.toFixed(2)}s">`,
      ...runs.map((run) => drawRun(run, line)),
      "  </g>",
    ];
    delay += isCommand ? PAUSES.command : PAUSES.line;
    return drawn;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escape(about)}</title>`,
    `  <style>${STYLE}</style>`,
    `  <rect class="screen" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" />`,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

/** Splits a line at colour changes and gaps: only a text with its own position stays in its column. */
function readLine(line: string): Run[] {
  const runs: Run[] = [];
  let className = line.startsWith("$ deno") ? "prompt" : "";
  let column = 0;
  // deno-lint-ignore no-control-regex -- colours are made of them
  for (const [part, code] of line.matchAll(/\x1b\[(\d+)m|[^ \x1b]+(?: [^ \x1b]+)*| +/g)) {
    if (code !== undefined) {
      className = CLASSES[code] ?? "";
      continue;
    }
    if (part.trim() !== "") runs.push({ text: part, className, column });
    column += part.length;
  }
  return runs;
}

function lengthOf(runs: readonly Run[]): number {
  const last = runs.at(-1);
  return last === undefined ? 0 : last.column + last.text.length;
}

function drawRun({ text, className, column }: Run, line: number): string {
  const x = (SIZE.margin + column * SIZE.column).toFixed(1);
  const y = SIZE.margin + (line + 1) * SIZE.line - 6;
  const attribute = className === "" ? "" : ` class="${className}"`;
  return `    <text x="${x}" y="${y}"${attribute}>${escape(text)}</text>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
