import { assert, assertEquals } from "@std/assert";
import { checkNames, namesBody } from "../../src/api/check_names.ts";
import { slipAmong } from "../../src/api/operation.ts";
import { onLab } from "../support/on_lab.ts";
import { postJson } from "../support/post_json.ts";

Deno.test("slipAmong() compares few of the names that a client sends, because no limit has admitted the request", () => {
  let compared = 0;
  const names = Array.from({ length: 60_000 }, (_, n) => `${n}`);
  const counting = new Proxy(names, {
    get(target, key) {
      if (/^\d+$/.test(String(key))) compared++;
      return Reflect.get(target, key);
    },
  });
  assertEquals(
    slipAmong(counting, namesBody(), { schema: checkNames.query(), place: "query" }),
    undefined,
  );
  assert(compared <= 100, `${compared}`);
});

Deno.test("POST /check ignores a slip behind more members than a client sends by mistake", () =>
  onLab(async ({ get }) => {
    const others = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`other${n}`, 1]));
    const body = { names: ["taken.com"], ...others, tld: "net" };
    const { status } = await get("/check", postJson(body));
    assertEquals(status, 200);
    const slip = await get("/check", postJson({ names: ["taken.com"], tld: "net" }));
    assertEquals([slip.status, slip.body.error], [400, "invalid_parameter"]);
  }));
