/** `deno task picture:cli`: the moving picture of the command line in README and `.github/docs/cli.md`, from its output on the demo's lab. */
import { cliScreens } from "./cli_screens.ts";
import { terminalSvg } from "./terminal_svg.ts";

const PICTURE = new URL("../../.github/pictures/cli.svg", import.meta.url);
const ABOUT =
  "Two deno task check commands: a line for each name with an icon, its state and how it is known, then the counts";

const picture = terminalSvg(await cliScreens(), ABOUT);
await Deno.mkdir(new URL("./", PICTURE), { recursive: true });
await Deno.writeTextFile(PICTURE, picture);
