/**
 * Yields the lines of a stream, without their ends: of UTF-8, or of UTF-16 with its mark, as PowerShell writes it. Lines are
 * cut to `most` characters, so that a stream without line ends cannot fill the memory.
 */
export async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  { most }: { most: number },
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let rest = "";
  let head: Uint8Array = new Uint8Array();
  for await (const next of bytes) {
    const chunk = decoder === undefined ? Uint8Array.of(...head, ...next) : next;
    // The mark has two bytes.
    if (chunk.length < 2 && decoder === undefined) {
      head = chunk;
      continue;
    }
    decoder ??= new TextDecoder(encodingOf(chunk));
    // A return at the end may be the first half of a line ending.
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop()?.slice(0, most) ?? "";
    for (const part of parts) yield part.slice(0, most);
  }
  rest += (decoder ?? new TextDecoder()).decode(decoder === undefined ? head : undefined);
  if (rest !== "") yield rest.replace(/[\r\n]$/, "");
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
