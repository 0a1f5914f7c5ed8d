import { createServer, type Socket } from "node:net";
import { after } from "./delays.ts";
import { openServer } from "./open_server.ts";
import { type WhoisBehaviour, whoisBehaviours, type WhoisPlay } from "./whois_behaviours.ts";
import { WHOIS_FORMS } from "./whois_forms.ts";

const DRIP_MS = 20;
const QUERY = /^(?<prefix>domain )?(?<domain>[a-z0-9-]+\.(?<tld>[a-z0-9-]+))$/;

/** Starts a server that takes a line, answers it by a text or a behaviour, and closes. */
export async function startLineServer(answer: (line: string) => string | WhoisPlay) {
  /** The lines that it got. */
  const questions: string[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    // A client that disconnects early is no fault of the server.
    socket.on("error", () => socket.destroy());
    let line = "";
    socket.setEncoding("utf8").on("data", (text) => {
      line += text;
      // A KV client of another test reconnects to a port that was its server's.
      if (line.startsWith("POST ")) return void socket.destroy();
      if (!line.endsWith("\r\n")) return;
      questions.push(line.slice(0, -2));
      const play = answer(line.slice(0, -2));
      if (typeof play === "string") socket.end(play);
      else send(socket, play);
    });
  });
  return { ...await openServer(server), questions };
}

/** Starts a server that simulates those of all TLDs: the name in the query says which. */
export async function startWhoisServer({ answer }: { answer: (domain: string) => WhoisBehaviour }) {
  /** The whole lines, the domains in them, and when they came (`performance.now()`). */
  const queries: { query: string; domain: string; at: number }[] = [];
  const server = await startLineServer((query) => {
    const { prefix = "", domain = "", tld = "" } = QUERY.exec(query)?.groups ?? {};
    queries.push({ query, domain, at: performance.now() });
    const form = WHOIS_FORMS[tld];
    return form === undefined || prefix !== (form.prefix ?? "")
      ? similarNames(domain)
      : whoisBehaviours[answer(domain)](form, domain);
  });
  return { ...server, queries };
}

function send(socket: Socket, play: WhoisPlay): void {
  switch (play.kind) {
    case "bytes":
      socket.write(play.bytes);
      if (play.padding !== undefined) socket.write(play.padding);
      socket.end();
      return;
    case "silent":
      return;
    case "reset":
      socket.resetAndDestroy();
      return;
    case "drip":
      return drip(socket, play.text);
  }
}

/** One character after the other, then line breaks without end. */
function drip(socket: Socket, text: string): void {
  socket.write(text[0] ?? "\n");
  after(socket, DRIP_MS, () => drip(socket, text.slice(1)));
}

/** What Verisign answers to a text that is not said to be a domain, and others for a TLD that they do not serve. */
const similarNames = (domain: string) =>
  `${domain.toUpperCase()}.EXAMPLE.NET\n${domain.toUpperCase()}\n`;
