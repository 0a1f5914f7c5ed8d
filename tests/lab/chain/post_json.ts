import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/** Posts JSON to a server on loopback and returns the answer's text; a proxy of the environment is not asked. */
export async function postJson(url: string, body: string): Promise<string> {
  const outgoing = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json" },
  });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  return text(incoming!);
}
