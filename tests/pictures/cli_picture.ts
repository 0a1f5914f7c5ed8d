/** `deno task picture:cli`: the README's picture of the command line, from its output on the demo's lab. */
import { cliScreens } from "./cli_screens.ts";
import { terminalSvg } from "./terminal_svg.ts";

const PICTURE = new URL("../../.github/pictures/cli.svg", import.meta.url);
const ABOUT = "deno task check: for each name an icon, its state, and how that is known";

const picture = terminalSvg(await cliScreens(), ABOUT);
await Deno.mkdir(new URL("./", PICTURE), { recursive: true });
await Deno.writeTextFile(PICTURE, picture);
