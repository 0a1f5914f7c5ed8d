import { createServer } from "node:net";
import { openServer } from "./open_server.ts";

/** A registry's availability service: a line with a question, a text, and the end of the connection. */
export interface AvailabilityServer extends AsyncDisposable {
  /** `ip:port`. */
  address: string;
  /** The lines that it got. */
  questions: string[];
}

/** Starts one; `answer` returns the text for a line. */
export async function startAvailabilityServer(
  answer: (line: string) => string,
): Promise<AvailabilityServer> {
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
