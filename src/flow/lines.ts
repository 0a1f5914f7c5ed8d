/**
 * Yields the lines of a UTF-8 stream without line endings. Lines are cut to `most` characters, so that a stream without
 * line endings cannot fill the memory.
 */
export async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  { most }: { most: number },
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop()?.slice(0, most) ?? "";
    for (const part of parts) yield withoutReturn(part).slice(0, most);
  }
  rest += decoder.decode();
  if (rest !== "") yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
