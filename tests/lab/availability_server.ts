import { createServer } from "node:net";
import { openServer } from "./open_server.ts";

/** Starts a registry's availability service: it takes a line, sends the text that `answer` returns for it, and closes. */
export async function startAvailabilityServer(answer: (line: string) => string) {
  /** The lines that it got. */
  const questions: string[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    // A client that disconnects early is no fault of the server.
    socket.on("error", () => socket.destroy());
    socket.setEncoding("utf8").once("data", (text) => {
      const line = `${text}`.trimEnd();
      // A KV client of another test reconnects to a port that was its server's.
      if (line.startsWith("POST ")) return void socket.destroy();
      questions.push(line);
      socket.end(answer(line));
    });
  });
  return { ...await openServer(server), questions };
}
