/** The lines of a stream of bytes, and the values of several sources as one. */

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

/**
 * The values of several sources in the order in which they arrive, or in which `change` has changed each; fails with the first
 * that fails.
 */
export function merged<T>(
  sources: readonly AsyncIterable<T>[],
  change: (value: T) => T | Promise<T> = (value) => value,
): ReadableStream<T> {
  return new ReadableStream({
    async start(values) {
      const add = async (value: T) => values.enqueue(await change(value));
      await Promise.all(sources.map(async (source) => {
        const adding: Promise<void>[] = [];
        for await (const value of source) {
          const added = add(value);
          // A failure is reported below: until then it must not end the process.
          added.catch(() => {});
          adding.push(added);
        }
        await Promise.all(adding);
      }));
      values.close();
    },
  });
}
