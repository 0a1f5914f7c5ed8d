import { createServer, type Socket } from "node:net";
import { after } from "./delays.ts";
import { openServer } from "./open_server.ts";
import { type WhoisBehaviour, whoisBehaviours, type WhoisPlay } from "./whois_behaviours.ts";
import { WHOIS_FORMS } from "./whois_forms.ts";

const DRIP_MS = 20;
const QUERY = /^(?<prefix>domain )?(?<domain>[a-z0-9-]+\.(?<tld>[a-z0-9-]+))\r\n$/;

/** Starts a server that simulates those of all TLDs: the name in the query says which. */
export async function startWhoisServer(
  { answer }: { answer: (domain: string) => WhoisBehaviour },
) {
  /** The whole lines, the domains in them, and when they came (`performance.now()`). */
  const queries: { query: string; domain: string; at: number }[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    // A client that disconnects early is no fault of the server.
    socket.on("error", () => socket.destroy());
    let line = "";
    socket.setEncoding("latin1").on("data", (text) => {
      line += text;
      if (!line.endsWith("\n")) return;
      const { prefix = "", domain = "", tld = "" } = QUERY.exec(line)?.groups ?? {};
      queries.push({ query: line.trimEnd(), domain, at: performance.now() });
      const form = WHOIS_FORMS[tld];
      const play = form === undefined || prefix !== (form.prefix ?? "")
        ? similarNames(domain)
        : whoisBehaviours[answer(domain)](form, domain);
      send(socket, play);
    });
  });
  return { ...await openServer(server), queries };
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
function similarNames(domain: string): WhoisPlay {
  const text = `${domain.toUpperCase()}.EXAMPLE.NET\n${domain.toUpperCase()}\n`;
  return { kind: "bytes", bytes: new TextEncoder().encode(text) };
}
