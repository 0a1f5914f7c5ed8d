const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Where Chromium is: at `CHROMIUM`, or at a usual place; undefined where there is none. */
export function findChromium(): string | undefined {
  const told = Deno.env.get("CHROMIUM");
  return (told ? [told] : PLACES).find(isThere);
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
