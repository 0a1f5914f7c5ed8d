/** Answers every request with its arguments, by a bare Deno.serve or by a Hono app: `bare|hono <port> <body> <headers as JSON>`. */
import { Hono } from "hono";

const [kind, port, body = "", headers = "{}"] = Deno.args;
const literal: Record<string, string> = JSON.parse(headers);
const app = new Hono();
app.get("*", (c) => c.body(body, 200, literal));
const bare = () => new Response(body, { headers: literal });

Deno.serve(
  { port: Number(port), hostname: "127.0.0.1", onListen() {} },
  kind === "hono" ? app.fetch : bare,
);
