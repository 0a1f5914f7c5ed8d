import { assertEquals, assertRejects } from "@std/assert";
import { ApiFailure, createClient } from "../src/client.ts";
import { startLab } from "./lab/lab.ts";
import { startService } from "./support/service.ts";

Deno.test("createClient() returns answers typed by their operations", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  const get = createClient(service.url);
  const { results: [row] } = await get("/check", { name: "free-for-you", tld: "com" });
  const available: boolean | undefined = row?.available;
  // Of an unknown row alone, and with it the error.
  const [likely, error]: (string | undefined)[] = row?.state === "unknown"
    ? [row.likely, row.error satisfies string]
    : [];
  const { tlds } = await get("/tlds", { type: "ccTLD" });
  const types: ("gTLD" | "ccTLD")[] = tlds.map(({ type }) => type);
  const { status }: { status: "ok" | "degraded" } = await get("/health", {});
  assertEquals([available, likely, error], [true, undefined, undefined]);
  assertEquals([types.length, status], [5, "ok"]);
});

Deno.test("createClient() has types that reject invalid requests", () => {
  const get = createClient("http://localhost");
  const wrong = [
    // @ts-expect-error -- there is no such path
    () => get("/nope", {}),
    // @ts-expect-error -- the name is missing
    () => get("/check", {}),
    // @ts-expect-error -- there is no such type
    () => get("/tlds", { type: "generic" }),
  ];
  assertEquals(wrong.length, 3);
});

Deno.test("createClient() rejects with the service's message and Retry-After", async () => {
  await using lab = await startLab();
  const present = Date.now();
  await using service = await startService(lab, {
    env: { RATE_LIMIT: "1" },
    now: () => present,
    monotonic: () => performance.now(),
  });
  const get = createClient(service.url, { headers: { "x-request-id": "mine" } });
  const refused = await assertRejects(
    () => get("/check", { name: "not a name" }),
    ApiFailure,
    "Use 1 to 63 letters",
  );
  assertEquals([refused.status, refused.code, refused.retryAfter], [
    400,
    "invalid_name",
    undefined,
  ]);
  const limited = await assertRejects(() => get("/tlds", {}), ApiFailure, "Too many requests");
  assertEquals([limited.status, limited.code, limited.retryAfter], [
    429,
    "rate_limit_exceeded",
    60,
  ]);
});
