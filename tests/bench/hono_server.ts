/** The smallest Hono app that answers every request with its arguments: `<port> <body> <headers as JSON>`. */
import { Hono } from "hono";

const [port, body = "", headers = "{}"] = Deno.args;
const literal: Record<string, string> = JSON.parse(headers);
const app = new Hono();
app.get("*", (c) => c.body(body, 200, literal));

Deno.serve({ port: Number(port), hostname: "127.0.0.1", onListen() {} }, app.fetch);
