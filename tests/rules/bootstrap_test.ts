import { assertEquals } from "@std/assert";
import { readBootstrap } from "../../src/rules/readers/iana.ts";

function file(services: unknown, publication: unknown = "2026-11-20T00:00:00Z"): string {
  return JSON.stringify({ description: "", publication, services, version: "1.0" });
}

const read = (text: string) => readBootstrap(text, (base) => base.startsWith("https://"));

/** The base that is taken of these. */
function baseOf(...urls: string[]): string | undefined {
  const isAllowed = (base: string) => !base.includes("forbidden");
  return Object.keys(readBootstrap(file([[["com"], urls]]), isAllowed)?.bases ?? {})[0];
}

const COM = [[["com"], ["https://a.example/"]]];

Deno.test("readBootstrap() returns undefined when any part of the file is malformed (RFC 9224)", () => {
  const nested = JSON.parse(`${"[".repeat(100)}"https://a.example/"${"]".repeat(100)}`);
  const services = [
    "services",
    [[["com"], nested]],
    // KV could not take them.
    [[Array.from({ length: 8_000 }, (_, n) => `xn--${n}`), ["https://a.example/"]]],
    [...COM, []],
    [[["com"], "https://a.example/"]],
    [[["com", 7], ["https://a.example/"]]],
    [{}],
  ];
  const publications = [
    ...[7, "", "yesterday", "2026-13-45T00:00:00Z"],
    // `Date.parse` accepts these.
    ...[["2026-11-20T00:00:00Z"], "2026-11-20T00:00:00Z\u0000 and more", "+002026-11-20T00:00:00Z"],
    `2026-11-20T00:00:00.${"0".repeat(700_000)}Z`,
    `2026-11-20T00:00:00Z${" ".repeat(700_000)}`,
  ];
  const broken = ["", "{", "null", "[]", "7", "{}", file(COM).slice(0, -9)];
  broken.push(...services.map((one) => file(one)), ...publications.map((one) => file(COM, one)));
  for (const text of broken) assertEquals(read(text), undefined, text.slice(0, 200));
});

Deno.test("readBootstrap() lower-cases thousands of TLDs, and has a publication in any form of RFC 3339", () => {
  const tlds = Array.from({ length: 4_000 }, (_, n) => `XN--${n}`);
  const { bases = {} } = read(file([[tlds, ["https://a.example/"]]])) ?? {};
  assertEquals(bases["https://a.example/"], tlds.map((tld) => tld.toLowerCase()));
  for (const end of ["T00:00:00Z", "T00:00:00.123456Z", "T00:00:00+01:00", "t00:00:00z"]) {
    const form = `2026-11-20${end}`;
    assertEquals(read(file(COM, form))?.publication, form);
  }
});

Deno.test("readBootstrap() has the TLDs by base, with a slash at its end, without those that have no usable one", () => {
  const services = [
    [["com"], ["http://a.example/", "https://a.example"]],
    [["de", "nl"], ["https://de.example/"]],
    [["org", "", "sub.com"], ["https://a.example/"]],
    [["kg"], ["http://b.example/"]],
    [["net"], []],
  ];
  assertEquals(read(file(services))?.bases, {
    "https://a.example/": ["com", "org"],
    "https://de.example/": ["de", "nl"],
  });
  const ends = ["?q=", "\u00e9", "%", "%%", "%4", "%4/", "%4z", "%z4", "%zz"];
  for (const end of ends) assertEquals(baseOf(`https://a.example/${end}`), undefined, end);
  assertEquals(baseOf(" https://a.example/"), undefined);
});

Deno.test("readBootstrap() takes the first allowed https base of eight, else the first allowed one", () => {
  assertEquals(baseOf("http://forbidden.example/", "http://a.example/"), "http://a.example/");
  assertEquals(baseOf("http://a.example/", "https://b.example/%4a"), "https://b.example/%4a/");
  const urls = ["https://forbidden.example/", "http://a.example/https:", "https://b.example/"];
  assertEquals(baseOf(...urls), urls[2]);
  assertEquals(baseOf(...Array<string>(8).fill("https://forbidden.example/"), urls[2]!), undefined);
});
