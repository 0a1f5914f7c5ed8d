import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { nameIn, namesIn } from "../../static/names_in_text.js";
import { domainOf, parseInput } from "../../static/parse_input.js";
import { toAsciiName } from "../../src/rules/name.ts";
import { runCli } from "../support/cli.ts";
import { postMcp, toolCall } from "../support/mcp.ts";
import { onLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";
import type { Json } from "../support/service.ts";

/** Texts that hold one name, by the domain that stands there. */
// deno-fmt-ignore -- a list
const ONE: Readonly<Record<string, readonly string[]>> = {
  "acme77.com": [
    "acme77.com", "ACME77.COM", "\tacme77.com\n", "acme77.com.", "ａｃｍｅ７７.com",
    "\ufeff\u2068acme\u00ad77.com\u200b\u202c\u2069\u200e", "**acme77.com**", "_acme77.com_",
    "```acme77.com```", '"acme77.com"', "'acme77.com'", "“„«‘「¿[(<{~acme77.com~}>)]」’»“”…!?:",
    "acme77.com,", "acme77.com;", "> acme77.com", "• acme77.com",
    "[acme77.com](http://www.acme77.com/x)", "<https://acme77.com>", "HTTPS://ACME77.COM/",
    "http://www.acme77.com/path?x=1#y", "http://user:pw@acme77.com:8443/",
    "git+ssh://git@acme77.com/r.git", "www.acme77.com", "acme77.com/pricing", "acme77.com?utm=1",
    "acme77.com#top", "acme77.com:443", "<jane@acme77.com>", "mailto:jane@acme77.com?subject=hi",
    "*.acme77.com",
  ],
  "one-two-3-4-5-6-7.com": ["one‐two‑3–4−5－6︲7.com"],
  "xn--r8jz45g.jp": ["例え。jp", "例え.jp"],
  "xn--caf-dma.com": ["CAFÉ.com", "cafe\u0301.com", "xn--caf-dma.com"],
  "xn--mgbn2ecje63gr19l.com": ["می\u200cخواهم.com\u200c"],
  "xn--parallel-koa.cat": ["paral·lel.cat"],
  "xn--strae-oqa.de": ["straße.de"],
  "xn--lcka6bwa0bnl60b.com": ["カタカナ・テスト.com"],
  "xn--8dbq2a9c.com": ["צה״ל.com"],
  "zebra77.xn--p1ai": ["ZEBRA77.РФ", "zebra77.xn--p1ai"],
  "acme77.co.uk": ["acme77．co｡uk", "https://www.acme77.co.uk/x"],
};

/** Texts that hold several names, or something besides, by the names that stand there. */
// deno-fmt-ignore -- a list
const SEVERAL_BY_NAMES: Readonly<Record<string, readonly string[]>> = {
  "acme77.com beta77.io gamma77.dev": [
    "acme77.com, beta77.io and gamma77.dev", "acme77.com beta77.io, gamma77.dev",
    "acme77.com – beta77.io – gamma77.dev", "acme77.com;beta77.io gamma77.dev",
  ],
  "360 888": ["360\ttaken\n888\tfree"],
  "brightfjord moorly": ["#\tName\tMeaning\n1\tbrightfjord\tx\n2\tmoorly\ty", "1\tbrightfjord\n2\tmoorly"],
  "acme77.com beta77.io": [
    "acme77.com beta77.io", "acme77.com, beta77.io", "acme77.com\nbeta77.io", "acme77.com – beta77.io",
    "acme77.com (taken), beta77.io (free)", "#\tDomain\n1\tacme77.com\n2\tbeta77.io",
    // Lists of chat programs and editors.
    "1. acme77.com\n2. beta77.io", "- acme77.com\n- beta77.io", "* acme77.com\n* beta77.io",
    "<https://acme77.com|acme77.com>\n<http://beta77.io|our site>",
    "- [ ] acme77.com\n- [x] beta77.io", "✅ acme77.com\n❌ beta77.io",
    "acme77.com is available\nbeta77.io Taken $10", "Is acme77.com free?\nNo, but beta77.io is",
    "Is acme77.com free, or beta77.io?",
    // JSON.
    '["acme77.com","beta77.io"]',
    '[\n{"domain":"acme77.com","state":"taken"},\n{"domain":"beta77.io"}\n]',
    '"acme77.com",\n"beta77.io"', '{"domain":"acme77.com","state":"taken"}\n{"domain":"beta77.io"}',
    // Spreadsheets and exports.
    "acme77.com\t2027-01-01\nbeta77.io\t2028-01-01", "Domain\nacme77.com\nbeta77.io",
    "No,Domain,Owner\n1,acme77.com,jane@other.io\n2,beta77.io,joe@other.io",
    "Website,Owner,Domain Name\n,,acme77.com\nhttps://a.io/x,jane@b.io,beta77.io",
    "Owner | Domain | On\n | acme77.com | yes\na@b.io | beta77.io | no",
    "Registrar;domain\nGoDaddy.com, LLC;acme77.com\n;beta77.io",
    'Expiry,Domain\n"Jan 1, 2027",acme77.com\n,beta77.io\n,',
    "fqdn,ttl\nacme77.com,60\n\nbeta77.io", "acme77.com|beta77.io",
    "acme77.com,jane@other.io\nbeta77.io,",
    "acme77.com  registered  2027\nbeta77.io   free        -",
    "| **acme77.com** | short |\n| beta77.io | long |",
    // Files of systems.
    "# my names\nacme77.com # first\n\nbeta77.io", "0.0.0.0\tacme77.com beta77.io # blocked",
  ],
  "acme77.com beta77.io c7.org d7.dev e7.de": [
    "acme77.com,beta77.io;c7.org、d7.dev，e7.de",
    "acme77.com\r\nbeta77.io\rc7.org\u2028d7.dev\n\ne7.de\r\n",
  ],
  "acme77.com beta77.dev": [
    "acme77。com, beta77。dev",
    // JSON.
    '[\n  "acme77.com",\n  "beta77.dev"\n]',
    // Spreadsheets and exports.
    "\ufeffDomain;Renewal\r\nacme77.com;01.02.2027\r\nbeta77.dev;\r\n",
    "https://acme77.com/\nhttp://www.beta77.dev/x?y",
    // Files of systems.
    "domains:\n  - acme77.com\n  - beta77.dev",
  ],
  "acme77 beta77": [
    "acme77 beta77",
    // Lists of chat programs and editors.
    "- acme77\n- beta77",
    // JSON.
    '[{"name": "acme77", "tld": "com"}, {"name": "beta77"}]',
    // Spreadsheets and exports.
    "Price\tDomain name\n10\tacme77\n12\tbeta77", "acme77  beta77", "acme77|beta77",
  ],
  "acme77 beta77.dev": ["acme77, beta77.dev"],
  "acme77 beta77.dev gamma77 delta77.io": ["acme77,\tbeta77.dev;gamma77\n delta77.io "],
  "acme77.com": [
    // Lists of chat programs and editors.
    "(1) acme77.com", "+ acme77.com", "– acme77.com", "1. **acme77.com** – short",
    "1. **acme77.com**: a name that lasts", "- `acme77.com` — memorable, two syllables",
    "acme77.com (via other.com)", "acme77.com - see https://other.org/x", "- acme77.com (my favourite)", "acme77.com - a shop for shoes", "acme77.com ✅",
    // JSON.
    '[{"domain":"acme77.com","links":["https://shop.example/"]}]',
    // Spreadsheets and exports.
    "12\tacme77.com\t$10", '"Domain Name","Expiry"\n"acme77.com","2027-01-01"',
    'acme77.com,"A shop, for shoes"', '"Acme, Inc.",acme77.com', "acme77.com, jane@other.io, 2027",
    "acme77.com\tjane@other.io\thttps://third.org/x", "1,acme77.com,jane@other.io",
    "acme77.com;GoDaddy.com, LLC;2027", "https://a.io/x | acme77.com | 135",
    "https://a.io/x\tacme77.com", " domain     | price \n------------+-------\n acme77.com | 10",
    "acme77.com  ns1.host.net  ns2.host.net  active\n",
    "Domain      Expires\n----------  ----------\nacme77.com  2027-01-01",
    "Domain;Preis\nacme77.com;10,00", "Domain Name,TLD,Auto-renew\nacme77.com,com,On",
    // Files of systems.
    "// names\nacme77.com", "; zone\nacme77.com. 3600 IN NS ns1.host.net.",
    "acme77.com. IN MX 10 mail.other.net.",
    "$TTL 3600\n$ORIGIN acme77.com.\n@ IN NS ns1.host.net.\nwww IN A 192.0.2.1",
    "127.0.0.1 acme77.com", "::1 acme77.com", "domain:       acme77.com\nnserver: ns1.host.net",
    "domain.............: acme77.com\nstatus...: Registered",
    "** Domain Name: acme77.com\nDomain Status: Active",
  ],
  "beta77.io": ["2. Beta: beta77.io is shorter"],
  "Acme77 Beta77": [
    "1. Acme77 – evokes light\n2. **Beta77** - warm, home", "- Acme77 (light)\n- Beta77: sharp",
  ],
  "Acme Labs Beta": ["1. Acme Labs – science\n2. Beta – home", '"Acme Labs", "Beta"'],
  "acme77.com beta77": ['{"names":["acme77.com","beta77"]}'],
  "domain": ["domain"],
  "and/or": ["and/or"],
  "foo#bar": ["foo#bar"],
  "beta77.dev": ["www.beta77.dev, Beta Docs"],
  "acme77 beta77 gamma77": ["acme77  beta77, gamma77"],
  "name acme77": ["name, acme77"],
  "ACME77.COM": [
    "Domain Name: ACME77.COM\nRegistrar URL: http://shop.example\nName Server: NS1.HOST.NET",
  ],
  "": ["", " \n ", "---", "***", "https://"],
};

const [SINGLE = [], SEVERAL = []] = [ONE, SEVERAL_BY_NAMES].map((texts) =>
  Object.entries(texts).flatMap(([names, all]) => all.map((text) => [text, names] as const))
);

Deno.test("namesIn() finds the names that stand in lists, tables, exports and files, and no others", () => {
  for (const [text, names] of SEVERAL) {
    assertEquals(namesIn(text).flatMap((one) => one.split(/\s+/)).join(" "), names, text);
  }
});

Deno.test("check --file finds the same domains in files of such texts, and reports no line of them", async () => {
  const opening = () => Promise.reject(new Error("the checker was opened"));
  const isDomain = (name: string) => /^[^/]+\.[^/]+$/.test(name);
  const several = SEVERAL.filter(([, names]) => names.split(" ").every(isDomain));
  for (const [text, names] of [...several, ...SINGLE]) {
    const lists = { a: text };
    const { code, out, err } = await runCli(["--file", "a", "--dry-run"], opening, { lists });
    const domains = out.trim().split("\n").map((line) => line.split(" ")[0]).join(" ");
    assertEquals([code, domains, err], [0, names.toLowerCase(), ""], text);
  }
});

Deno.test("page, POST /check, MCP and the command line find the same name in a text", () =>
  onLab(async ({ url, get, services }) => {
    for (const [text, domain] of SINGLE) {
      const parsed = parseInput(text);
      const read = parsed.kind === "choice" ? parsed.options : [parsed];
      assert(read.some((one) => "name" in one && domainOf(one) === domain), JSON.stringify(text));
    }
    const names = SINGLE.map(([text]) => text);
    const domains = SINGLE.map(([, domain]) => domain);
    const { body } = await get("/check?depth=dns", postJson({ names }));
    assertEquals(body.results.map(({ domain, message }: Json) => domain ?? message), domains);
    const called = await postMcp(`${url}/mcp/`, toolCall("check_domain", { names }));
    const { count, invalid } = called.body.result.structuredContent;
    assertEquals([count, invalid], [new Set(domains).size, []]);
    const { out } = await runCli([...names, "--dry-run"], services);
    const listed = out.trimEnd().split("\n").map((line) => line.split(/\s/)[0]);
    assertEquals(new Set(listed), new Set(domains));
  }, { env: { RATE_LIMIT: "1000", ANY_TLD: "on" } }));

Deno.test("namesIn() finds no name that does not stand in the text", () => {
  // deno-fmt-ignore -- a list
  const words = ["acme77.com", "beta", "例え.jp", "2027-01-01", "jane@x.io", "https://a.b/c", "café"];
  // deno-fmt-ignore -- a list
  const signs = [
    "**", '"', "(", ")", ", ", "\t", "\n", " – ", "| ", "1. ", "- ", "# ", ";", "。", ". ",
  ];
  const text = fc.array(fc.constantFrom(...words, ...signs), { maxLength: 14 })
    .map((parts) => parts.join(""));
  const standsThere = fc.property(fc.oneof(text, fc.string({ unit: "grapheme" })), (text) => {
    const plain = text.normalize("NFKC").toLowerCase().replaceAll(/[\u3002\uff0e\uff61]/g, ".")
      .replaceAll(/[\u00ad\u200b-\u200f\u2060-\u206f\ufeff]/g, "")
      .replaceAll(/[\u2010-\u2013\u2212]/g, "-");
    for (const name of namesIn(text).flatMap((one) => one.split(/\s+/)).map(nameIn)) {
      assert(plain.includes(name.normalize("NFKC").toLowerCase()), JSON.stringify([text, name]));
    }
  });
  fc.assert(standsThere, { numRuns: 2_000 });
});

Deno.test("nameIn() reads a bounded part of a text, in linear time", () => {
  assertEquals(nameIn(`https://acme77.com/${"x".repeat(100_000)}`), "acme77.com");
  assertEquals(namesIn('"'.repeat(100_000)), []);
  assertEquals(namesIn(`${", ".repeat(50_000)}acme77.com`), ["acme77.com"]);
  assertEquals(toAsciiName(nameIn("(".repeat(100_000))), "");
});
