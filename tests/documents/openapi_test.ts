import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "yaml";
import fc from "fast-check";
import { readDomain, readEnsLabel, readLabel, readSuffix } from "../../src/rules/name.ts";
import { openapi, openapiYaml } from "../../src/documents/openapi.ts";
import { operations } from "../../src/api/operations.ts";
import { STATES } from "../../src/rules/verdict.ts";
import { resolve } from "../support/documented.ts";
import type { Json } from "../support/service.ts";

const ABOUT = { version: "1.2.3", limit: 42 };
const document: Json = openapi(ABOUT);

Deno.test("openapi() documents the errors of an operation, and of them those that any has", () => {
  const common = ["internal_error", "invalid_host", "service_unavailable"];
  for (const { path, body, errors, isUncounted } of operations) {
    const { responses } = document.paths[path][body ? "post" : "get"];
    const documented = Object.values<Json>(responses).flatMap((response) =>
      resolve(response).content?.["application/json"]?.schema.properties?.error?.enum ?? []
    );
    const limit = isUncounted ? [] : ["rate_limit_exceeded"];
    assertEquals(documented.toSorted(), [...errors, ...common, ...limit].toSorted(), path);
  }
});

Deno.test("openapi() documents the headers of every response as required", () => {
  for (const { get } of Object.values<Json>(document.paths)) {
    for (const [status, response] of Object.entries<Json>(get.responses)) {
      const { headers } = resolve(response);
      const names = Object.keys(headers);
      for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]) {
        assert(names.includes(name), `${status} ${name}`);
      }
      const optional = names.filter((name) => !resolve(headers[name]).required);
      const retried = status === "429" || status === "503" ? ["Retry-After"] : [];
      assertEquals(optional.filter((name) => name !== "Server-Timing"), retried);
    }
  }
});

Deno.test("openapi() documents the answers without a body: 204 of streams, 304 of feeds", () => {
  const have = (status: string) =>
    Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) =>
        status in methods[method].responses ? [`${method} ${path}`] : []
      )
    );
  assertEquals(have("204"), ["get /check", "post /check"]);
  assertEquals(have("304"), ["get /watch.atom", "get /watch.ics"]);
});

Deno.test("openapi() documents the version and the limit, parameters, and dates without zod's pattern", () => {
  assertEquals([document.openapi, document.info.version], ["3.1.1", "1.2.3"]);
  assertMatch(document.info.description, /42 requests in any 60 seconds/);
  const [name, tld] = document.paths["/check"].get.parameters;
  assertEquals([name.name, name.required, tld.name, tld.required], ["name", true, "tld", false]);
  const { timestamp } = document.components.schemas.CheckAnswer.properties;
  assertEquals(timestamp, { type: "string", format: "date-time" });
});

/** Texts that are valid for parameters, or differ from a valid one in one place. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."aZ0-."), maxLength: 7 }),
  fc.string({ unit: fc.constantFrom(..."aZ0-._ \u212A"), maxLength: 70 }),
  fc.tuple(
    fc.constantFrom("", ".", "xn--", "XN--", "ab--", "-", "a."),
    fc.string({ unit: fc.constantFrom(..."az0-"), minLength: 1, maxLength: 64 }),
    fc.constantFrom(
      ...["", ".", ".com", ".ETH", ".xn--p1ai", ".xn--", ".c0m", ".c", ".com.", "-", "\n"],
    ),
  ).map((parts) => parts.join("")),
);

const PARAMETERS: [path: string, name: string, isTaken: (text: string) => boolean][] = [
  ["/check", "name", (text) => readLabel(text).kind === "label"],
  ["/check", "tld", (text) => readSuffix(text) !== undefined],
  ["/register", "domain", (text) => readDomain(text).kind === "domain"],
  ["/v1/ens/check", "name", (text) => readEnsLabel(text).kind === "label"],
  ["/v1/ens/metadata", "name", (text) => readEnsLabel(text).kind === "label"],
];

for (const [path, name, isTaken] of PARAMETERS) {
  Deno.test(`the patterns of ${path}?${name} match exactly what the service accepts`, () => {
    const parameters: Json[] = document.paths[path].get.parameters;
    const { pattern, not } = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
    // A schema without a pattern would accept every text.
    assertEquals([typeof pattern, typeof not?.pattern], ["string", "string"]);
    assert(pattern.length < 100, pattern);
    const [isMatch, isNone] = [new RegExp(pattern, "u"), new RegExp(not.pattern, "u")];
    let taken = 0;
    const property = fc.property(fc.oneof(texts, fc.stringMatching(isMatch)), (text) => {
      const isMatched = isMatch.test(text) && !isNone.test(text);
      assertEquals(isMatched, isTaken(text), JSON.stringify(text));
      if (isTaken(text)) taken++;
    });
    fc.assert(property, { numRuns: 5_000 });
    assert(taken > 500, `${taken} were taken`);
  });
}

Deno.test("openapiYaml() equals the JSON, also for readers of YAML 1.1", () => {
  const yaml = openapiYaml(ABOUT);
  assertEquals(parse(yaml), document);
  assertEquals(parse(yaml, { version: "1.1" }), document);
});

Deno.test("openapi() documents rows by their state: unknown ones have an error, no others do", () => {
  const { schemas } = document.components;
  const rowsOf = (answer: string) => schemas[answer].properties.results.items;
  for (const answer of ["CheckAnswer", "CheckNamesAnswer"]) {
    const rows = rowsOf(answer).oneOf.map(resolve);
    for (const state of STATES) {
      const ofState = rows.filter(({ properties }: Json) =>
        properties.state !== undefined && resolve(properties.state).enum.includes(state)
      );
      assertEquals(ofState.length, 1, state);
      const [{ properties, required }] = ofState;
      assertEquals(required.includes("error"), state === "unknown", state);
      assertEquals("error" in properties, state === "unknown", state);
      assertEquals("likely" in properties, state === "unknown", state);
      assertEquals("reason" in properties, state === "reserved", state);
      assertEquals(required.includes("state"), true, state);
    }
  }
});

Deno.test("openapi() documents POST /check with its body and examples", () => {
  const { post } = document.paths["/check"];
  assertEquals(post.parameters.map(({ name }: Json) => name), ["depth", "evidence"]);
  const { required, content } = post.requestBody;
  const { schema, examples } = content["application/json"];
  assertEquals([required, schema.required], [true, ["names"]]);
  const { names, tlds } = schema.properties;
  assertEquals([names.minItems, names.maxItems, tlds.type], [1, 200, "array"]);
  assertEquals(Object.keys(examples.some_names.value), ["names", "tlds"]);
});
