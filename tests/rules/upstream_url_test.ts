import { assertEquals } from "@std/assert";
import { isUpstreamUrl } from "../../src/rules/upstream_url.ts";

// deno-fmt-ignore -- a table
const ROWS: [string, boolean, boolean][] = [
  // URL, may be asked, may be asked in the lab
  ["https://rdap.example/com/v1/", true, true],
  ["https://8.8.8.8/", true, true],
  ["https://172.15.0.1/", true, true],
  ["http://rdap.example/", false, true],
  ["https://localhost/", false, true],
  ["https://a.localhost:8443/", false, true],
  ["https://localhost./", false, true],
  ["https://a.localhost./", false, true],
  ["https://127.0.0.1/", false, true],
  ["https://2130706433/", false, true],
  ["https://0x7f.1/", false, true],
  ["https://10.1.2.3/", false, true],
  ["https://172.31.0.1/", false, true],
  ["https://192.168.0.1/", false, true],
  ["https://169.254.169.254/latest/", false, true],
  ["https://100.64.0.1/", false, true],
  ["https://100.127.255.1/", false, true],
  ["https://[::1]/", false, true],
  ["https://[::ffff:127.0.0.1]/", false, true],
  ["https://user:password@rdap.example/", false, false],
  ["https://:password@rdap.example/", false, false],
  ["ftp://rdap.example/", false, false],
  ["file:///etc/passwd", false, false],
  ["rdap.example", false, false],
  ["", false, false],
];

for (const [url, allowed, inLab] of ROWS) {
  Deno.test(`isUpstreamUrl() ${allowed ? "allows" : inLab ? "allows in the lab only" : "refuses"} ${url || "an empty text"}`, () => {
    assertEquals([isUpstreamUrl(url, false), isUpstreamUrl(url, true)], [allowed, inLab]);
  });
}
