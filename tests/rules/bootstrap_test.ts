import { assertEquals } from "@std/assert";
import { readBootstrap, refreshRows } from "../../src/rules/bootstrap.ts";
import type { TldRow } from "../../src/rules/tlds.ts";

const IN_USE: TldRow[] = [
  { tld: "com", rdapBase: "https://rdap.example/com/" },
  { tld: "io", rdapBase: "https://pinned.example/" },
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

Deno.test("readBootstrap() refuses whatever is not of RFC 9224's form, and all of it", () => {
  const broken = [
    "",
    "{",
    "null",
    "[]",
    "7",
    "{}",
    file("services"),
    file([[["com"], ["https://a.example/"]]], 7),
    file([[["com"], ["https://a.example/"]], []]),
    file([[["com"], "https://a.example/"]]),
    file([[["com", 7], ["https://a.example/"]]]),
    file([{}]),
    file([[["com"], ["https://a.example/"]]]).slice(0, -9),
  ];
  for (const text of broken) assertEquals(readBootstrap(text), undefined, text);
});

Deno.test("readBootstrap() reads TLDs in lower case with all their URLs", () => {
  const read = readBootstrap(file([[["COM", "net"], ["https://a.example/", "http://a.example/"]]]));
  assertEquals(read?.publication, "2026-11-20T00:00:00Z");
  assertEquals(read?.bases.get("com"), ["https://a.example/", "http://a.example/"]);
  assertEquals(read?.bases.get("net"), ["https://a.example/", "http://a.example/"]);
});

Deno.test("refreshRows() takes over new bases and keeps pinned ones that the file never had", () => {
  assertEquals(refresh([[["com"], ["https://new.example/rdap"]]]), {
    kind: "adopted",
    rows: [
      { tld: "com", rdapBase: "https://new.example/rdap/" },
      { tld: "io", rdapBase: "https://pinned.example/" },
    ],
  });
});

Deno.test("refreshRows() lets the file overrule a pinned base once it has one", () => {
  const services = [[["com"], ["https://a.example/"]], [["io"], ["https://io.example/"]]];
  const refreshed = refresh(services);
  assertEquals(
    typeof refreshed === "object" && refreshed.kind === "adopted" && refreshed.rows[1]?.rdapBase,
    "https://io.example/",
  );
});

Deno.test("refreshRows() refuses a file that lost a TLD, or left it no base that may be asked", () => {
  const why = "the file has no usable RDAP server for com";
  assertEquals(refresh([[["net"], ["https://a.example/"]]]), { kind: "refused", why });
  assertEquals(refresh([[["com"], ["http://a.example/"]]]), { kind: "refused", why });
  assertEquals(refresh([[["com"], ["https://a.example/?q="]]]), { kind: "refused", why });
  assertEquals(refresh([[["com"], ["https://a.example/%%"]]]), { kind: "refused", why });
  assertEquals(refresh([[["com"], []]]), { kind: "refused", why });
});

Deno.test("refreshRows() takes a base without its slash, and minds neither the root nor deeper domains", () => {
  const services = [
    [[""], ["https://root.example", "http://root.example"]],
    [["com"], ["https://a.example", "http://a.example"]],
    [["sub.com"], ["https://a.example/sub", "http://a.example/sub"]],
  ];
  const refreshed = refresh(services, ["com"]);
  assertEquals(refreshed, {
    kind: "adopted",
    rows: [{ tld: "com", rdapBase: "https://a.example/" }],
  });
});

Deno.test("refreshRows() prefers https and adds TLDs that were asked for, where the file has them", () => {
  const services = [
    [["com"], ["http://a.example/", "https://a.example/"]],
    [["de"], ["https://de.example/"]],
  ];
  assertEquals(refresh(services, ["com", "de", "zz"]), {
    kind: "adopted",
    rows: [
      { tld: "com", rdapBase: "https://a.example/" },
      { tld: "de", rdapBase: "https://de.example/" },
    ],
  });
});
