/** An answer's body and headers, for a server that is to give the same. */
export interface Answer {
  body: string;
  headers: Record<string, string>;
}

/** What the server adds by itself to whatever is answered. */
const OWN_HEADERS = ["date", "content-length"];

/** Takes an answer apart. */
export function answerOf(text: string): Answer {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1).map((line) => line.split(/: (.*)/, 2));
  const headers = lines.filter(([name = ""]) => !OWN_HEADERS.includes(name));
  return { body, headers: Object.fromEntries(headers) };
}
