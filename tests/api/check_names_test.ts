import { assertEquals, assertMatch } from "@std/assert";
import type { Services } from "../../src/wiring/services.ts";
import { changedApp } from "../support/changed_app.ts";
import { masked } from "../support/masked.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";
import type { Json, RunningService } from "../support/service.ts";
import { takenRow } from "../support/taken_row.ts";

const test = testsOnLab();

/** Sends a body to `POST /check`. */
function post({ get }: RunningService, body: unknown, headers = {}, query = "") {
  return get(`/check${query}`, postJson(body, headers));
}

Deno.test("POST /check answers a row for each label and TLD, in their order, as GET does", () =>
  onLab(async (service) => {
    const names = ["undelegated.com", "Taken", "taken"];
    const { status, headers, body } = await post(service, { names, tlds: ["NET", ".com", "net"] });
    assertEquals([status, headers.get("vary")], [200, "Accept"]);
    assertEquals(Object.keys(body), ["results", "count", "totalMs", "timestamp"]);
    const rows = body.results.map((row: Json) => `${row.input} ${row.domain} ${row.state}`);
    const taken = (input: string) => [`${input} taken.net taken`, `${input} taken.com taken`];
    const first = "undelegated.com undelegated.com taken";
    assertEquals(rows, [first, ...taken("Taken"), ...taken("taken")]);
    assertEquals(body.count, 5);
    assertMatch(headers.get("server-timing") ?? "", /^cache;desc="0 of 5"/);
    const { body: one } = await service.get("/check?name=undelegated&tld=com");
    const own = { input: "undelegated.com", ...one.results[0], source: "rdap" };
    assertEquals(masked(own), masked(body.results[0]));
    const all = await post(service, { names: ["taken"] });
    assertEquals(all.body.results.map(({ tld }: Json) => tld), ["com", "net", "org"]);
  }, { env: { TLDS: "com,net,org" } }));

Deno.test("POST /check answers a name that cannot be checked with a row of its own", () =>
  onLab(async (service) => {
    const names = ["-a", "foo.zzz", "vitalik.eth", "a.b.com", "", "taken.com"];
    const { status, headers, body } = await post(service, { names });
    assertEquals([status, headers.get("x-ratelimit-remaining")], [200, "3"]);
    const errors = body.results.slice(0, 5);
    assertEquals(errors.map((row: Json) => `${row.input} ${row.error} ${row.code}`), [
      "-a invalid_name 400",
      ...["foo.zzz", "vitalik.eth", "a.b.com"].map((name) => `${name} unsupported_tld 400`),
      " invalid_name 400",
    ]);
    assertEquals(errors.map(({ message }: Json) => message).slice(0, 3), [
      "Invalid name: Remove the hyphen at the start or the end",
      "Unsupported TLD: send one of com, net",
      "Unsupported TLD: use /v1/ens/check for .eth names",
    ]);
    assertEquals(Object.keys(errors[0]), ["input", "error", "message", "code"]);
    assertEquals(body.results[5].state, "taken");
  }, { env: { RATE_LIMIT: "9", TLDS: "com,net" } }));

const LONG = JSON.stringify({ names: ["a"], more: "x".repeat(65_536) });

const NAMES = Array.from({ length: 200 }, (_, n) => `n${n}`);
const TOO_MANY = { names: [...NAMES, "one-more"] };
const TLDS = "com net org io dev app ai xyz me de fr uk nl be eu at ch it es pl se".split(" ");

// deno-fmt-ignore -- a table
const INVALID: readonly [body: unknown, headers: Record<string, string>, status: number, error: string, message: RegExp][] = [
  ["", {}, 400, "invalid_body", /^Invalid body: it is not JSON$/],
  ["{", {}, 400, "invalid_body", /it is not JSON/],
  ["null", {}, 400, "invalid_body", /send a JSON object such as/],
  [["a"], {}, 400, "invalid_body", /send a JSON object such as/],
  [{}, {}, 400, "invalid_body", /names must be a list of 1 to 200 strings/],
  [{ names: [] }, {}, 400, "invalid_body", /names must be a list of 1 to 200 strings/],
  [{ names: "a" }, {}, 400, "invalid_body", /names must be a list of 1 to 200 strings/],
  [{ names: ["a", 1] }, {}, 400, "invalid_body", /names must be a list of 1 to 200 strings/],
  [TOO_MANY, {}, 400, "invalid_body", /names must be a list of 1 to 200 strings/],
  [{ names: ["a"], tlds: "com" }, {}, 400, "invalid_body", /tlds must be a list of TLDs/],
  [{ names: ["a"], tlds: [] }, {}, 400, "invalid_body", /tlds must be a list of TLDs/],
  [{ names: ["a"], tlds: ["com", "zz"] }, {}, 400, "invalid_body", /tlds has "zz": Unsupported TLD: \.zz is no known TLD/],
  [{ names: ["a"], tlds: Array(51).fill("com") }, {}, 400, "invalid_body", /send at most 50 TLDs/],
  [{ names: NAMES, tlds: TLDS }, {}, 400, "invalid_body", /send at most 4000 names times TLDs/],
  [{ names: ["taken"], depth: "dns" }, {}, 400, "invalid_parameter", /: send depth in the query$/],
  [{ names: ["taken"], tld: "com" }, {}, 400, "invalid_parameter", /^Invalid parameter: send tlds instead of tld$/],
  [{ name: "taken" }, {}, 400, "invalid_parameter", /send names instead of name$/],
  [LONG, {}, 413, "payload_too_large", /at most 64 KiB/],
  [{ names: ["a"] }, { "content-type": "text/plain" }, 415, "unsupported_media_type", /application\/json/],
  [{ names: ["a"] }, { "content-type": "application/jsonp" }, 415, "unsupported_media_type", /application\/json/],
  [{ names: ["a"] }, { "content-type": "" }, 415, "unsupported_media_type", /application\/json/],
];

Deno.test("POST /check answers an invalid body with its documented error, which costs one request and asks nothing", () =>
  onLab(async ({ lab, ...service }) => {
    let remaining = 60;
    for (const [sent, headers, expected, error, message] of INVALID) {
      const { status, body, headers: answered } = await post(service, sent, headers);
      const hint = JSON.stringify(sent).slice(0, 60);
      assertEquals([status, body.error, body.code], [expected, error, expected], hint);
      assertMatch(body.message, message);
      assertEquals(answered.get("x-ratelimit-remaining"), `${--remaining}`, hint);
    }
    assertEquals(lab.dnsQueries.length, 0);
  }, { env: { RATE_LIMIT: "60" } }));

Deno.test("POST /check costs one request for each name, all or nothing, and its 429 says so", () =>
  onLab(async ({ lab, ...service }) => {
    const all = ["taken.com", "google.com", "nic.com", "taken.net", "google.net", "nic.net"];
    const send = (count: number) => post(service, { names: all.slice(0, count) });
    assertEquals((await send(3)).headers.get("x-ratelimit-remaining"), "2");
    lab.clear();
    const over = await send(4);
    assertEquals([over.status, over.headers.get("x-ratelimit-remaining")], [429, "2"]);
    assertMatch(over.headers.get("retry-after") ?? "", /^\d+$/);
    assertEquals(Object.keys(over.body), ["error", "message"]);
    const fewer =
      /^Too many requests: this one costs 4, one for each name: 2 are left; send fewer names, or retry after 60 seconds: these are admitted in \d+ s$/;
    assertMatch(over.body.message, fewer);
    const never = await send(6);
    assertEquals([never.status, never.headers.get("retry-after")], [429, null]);
    const message =
      "Too many requests: this one costs 6, one for each name: send at most 5 names, which is the limit per minute";
    assertEquals(never.body, { error: "rate_limit_exceeded", message });
    assertEquals(lab.dnsQueries.length, 0);
    assertEquals((await send(2)).status, 200);
    const unread = await post(service, "no JSON");
    assertEquals(unread.status, 429);
    const refused =
      /^Too many requests\. Please retry after 60 seconds\. The next request is admitted in \d+ s\.$/;
    assertMatch(unread.body.message, refused);
  }, { env: { RATE_LIMIT: "5" } }));

test("POST /check takes any number of TLDs where it has domains only, a charset in its Content-Type, and unknown members, of which it compares fifty with known ones", async (service) => {
  const headers = { "content-type": "Application/JSON; charset=utf-8" };
  // No limit has admitted it yet.
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`member${n}`, n]));
  const sent = { names: ["taken.com"], tlds: Array(60).fill("zz"), ...many, tld: "zz" };
  const { body } = await post(service, sent, headers);
  assertEquals(body.results.map(({ domain }: Json) => domain), ["taken.com"]);
});

test("POST /check has the evidence of each row with evidence=1", async (service) => {
  const body = { names: ["taken.com", "free-for-you.net", "no_name"] };
  const witnesses = ({ evidence }: Json) => evidence?.map(({ witness }: Json) => witness);
  const { body: answer } = await post(service, body, {}, "?evidence=1");
  assertEquals(answer.results.map(witnesses), [["dns"], ["dns", "rdap"], undefined]);
  const { body: plain } = await post(service, body);
  assertEquals(plain.results.map(witnesses), [undefined, undefined, undefined]);
  const refused = await post(service, body, {}, "?evidence=yes");
  assertEquals([refused.status, refused.body.error], [400, "invalid_parameter"]);
});

test("POST /check looks more than three names up as a list", async ({ services }) => {
  const isList: unknown[] = [];
  const checkDomain: Services["checkDomain"] = (label, tld, waiter) => {
    isList.push(waiter?.isList);
    return Promise.resolve(takenRow(label, tld));
  };
  const { ask } = changedApp(services, { checkDomain });
  for (const names of [["a.com", "b.com", "c.com"], ["a.com", "b.com", "c.com", "d.com"]]) {
    await (await ask("/check", postJson({ names }))).text();
  }
  assertEquals(isList, [false, false, false, true, true, true, true]);
});
