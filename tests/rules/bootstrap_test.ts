import { assert, assertEquals } from "@std/assert";
import { listBases, readBootstrap, refreshRows } from "../../src/rules/readers/iana.ts";
import type { TldRow } from "../../src/rules/tables/tlds.ts";

const PINNED: [tld: string, rdapBase: string] = ["io", "https://pinned.example/"];
const IN_USE: TldRow[] = [
  { tld: "com", rdapBase: "https://rdap.example/com/" },
  { tld: "io", rdapBase: PINNED[1] },
];

function file(services: unknown, publication: unknown = "2026-11-20T00:00:00Z"): string {
  return JSON.stringify({ description: "", publication, services, version: "1.0" });
}

function refresh(services: unknown, wanted = ["com", "io"]) {
  const read = readBootstrap(file(services));
  return read === undefined ? "broken" : refreshRows(read, {
    wanted,
    inUse: IN_USE,
    pinned: new Set(["io"]),
    isAllowed: (base) => base.startsWith("https://"),
  });
}

const COM = [[["com"], ["https://a.example/"]]];

Deno.test("readBootstrap() returns undefined when any part of the file is malformed (RFC 9224)", () => {
  const nested = JSON.parse(`${"[".repeat(100)}"https://a.example/"${"]".repeat(100)}`);
  const services = [
    "services",
    [[["com"], nested]],
    [[Array.from({ length: 5_001 }, (_, n) => `t${n}`), ["https://a.example/"]]],
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
  for (const text of broken) assertEquals(readBootstrap(text), undefined, text.slice(0, 200));
});

Deno.test("readBootstrap() lower-cases up to 5,000 TLDs and has their first 8 URLs, with a publication in any form of RFC 3339", () => {
  const tlds = Array.from({ length: 5_000 }, (_, n) => `t${n}`);
  assertEquals(readBootstrap(file([[tlds, ["https://a.example/"]]]))?.bases.size, 5_000);
  for (const end of ["T00:00:00Z", "T00:00:00.123456Z", "T00:00:00+01:00", "t00:00:00z"]) {
    const form = `2026-11-20${end}`;
    assertEquals(readBootstrap(file(COM, form))?.publication, form);
  }
  const urls = Array.from({ length: 100_000 }, (_, n) => `https://${n}.example/`);
  assertEquals(readBootstrap(file([[["com"], urls]]))?.bases.get("com")?.length, 8);
  const read = readBootstrap(file([[["COM", "net"], ["https://a.example/", "http://a.example/"]]]));
  assertEquals(read?.publication, "2026-11-20T00:00:00Z");
  for (const tld of ["com", "net"]) {
    assertEquals(read?.bases.get(tld), ["https://a.example/", "http://a.example/"], tld);
  }
});

const adopted = (...rows: [tld: string, rdapBase: string][]) => ({
  kind: "adopted" as const,
  rows: rows.map(([tld, rdapBase]) => ({ tld, rdapBase })),
});

Deno.test("refreshRows() adopts new bases with a slash at the end, keeps pinned ones that the file lacks, and adds wanted TLDs", () => {
  const renewed = refresh([[["com"], ["https://new.example/rdap"]]]);
  assertEquals(renewed, adopted(["com", "https://new.example/rdap/"], PINNED));
  const both = refresh([...COM, [["io"], ["https://io.example/"]]]);
  assertEquals(both, adopted(["com", "https://a.example/"], ["io", "https://io.example/"]));
  const services = [
    [[""], ["https://root.example", "http://root.example"]],
    [["com"], ["http://a.example/", "https://a.example"]],
    [["de"], ["https://de.example/"]],
    [["sub.com"], ["https://a.example/sub"]],
  ];
  const wanted = refresh(services, ["com", "de", "zz"]);
  assertEquals(wanted, adopted(["com", "https://a.example/"], ["de", "https://de.example/"]));
});

Deno.test("refreshRows() refuses a file that lost a TLD or all its allowed bases", () => {
  const why = "the file has no usable RDAP server for com";
  const refused = { kind: "refused", why } as const;
  assertEquals(refresh([[["net"], ["https://a.example/"]]]), refused);
  assertEquals(refresh([[["com"], []]]), refused);
  const ends = ["?q=", "\u00e9", "%", "%%", "%4", "%4/", "%4z", "%z4", "%zz"];
  const urls = ends.map((end) => `https://a.example/${end}`);
  for (const url of [...urls, "http://a.example/", " https://a.example/"]) {
    assertEquals(refresh([[["com"], [url]]]), refused, url);
  }
});

Deno.test("refreshRows() takes the first allowed https base, else the first allowed one", () => {
  const baseOf = (...urls: string[]) => {
    const read = readBootstrap(file([[["com"], urls]]));
    assert(read !== undefined);
    const isAllowed = (base: string) => !base.includes("forbidden");
    const options = { wanted: ["com"], inUse: [], pinned: new Set<string>(), isAllowed };
    const refreshed = refreshRows(read, options);
    return refreshed.kind === "adopted" && refreshed.rows[0]?.rdapBase;
  };
  assertEquals(baseOf("http://forbidden.example/", "http://a.example/"), "http://a.example/");
  assertEquals(baseOf("http://a.example/", "https://b.example/%4a"), "https://b.example/%4a/");
  const urls = ["https://forbidden.example/", "http://a.example/https:", "https://b.example/"];
  assertEquals(baseOf(...urls), urls[2]);
});

Deno.test("listBases() has the servers of all TLDs by base, and none where they are too many for KV", () => {
  const bases = new Map([
    ["de", ["https://a.example/"]],
    ["nl", ["http://a.example/", "https://a.example"]],
    ["kg", ["http://b.example/"]],
  ]);
  const isHttps = (base: string) => base.startsWith("https:");
  const file = { publication: "2026-09-30T23:00:03Z", bases };
  assertEquals(listBases(file, isHttps), { "https://a.example/": ["de", "nl"] });
  const listed = (length: number) => {
    const base = `https://a.example/${"x".repeat(length - 30)}/`;
    return listBases({ ...file, bases: new Map([["de", [base]]]) }, isHttps);
  };
  assertEquals([JSON.stringify(listed(60_000)).length, listed(60_001)], [60_000, undefined]);
});
