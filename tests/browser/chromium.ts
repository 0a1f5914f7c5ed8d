const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of Chromium: `CHROMIUM`, or a usual place; undefined if there is none. */
export function findChromium(): string | undefined {
  const configured = Deno.env.get("CHROMIUM");
  return (configured ? [configured] : PLACES).find(exists);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
