import { assertRejects, assertStringIncludes } from "@std/assert";
import { npmFiles } from "./npm_files.ts";

const SMALL = { name: "@ensdomains/offchain-resolver-contracts", version: "0.2.1" };

Deno.test("npmFiles() takes no package that is not the pinned one", async () => {
  const wrong = { ...SMALL, integrity: `sha512-${"A".repeat(86)}==` };
  const error = await assertRejects(() => npmFiles(wrong, ["package.json"]), Error);
  assertStringIncludes(error.message, "Cannot trust @ensdomains/offchain-resolver-contracts@0.2.1");
});

Deno.test("npmFiles() says what it cannot find", async () => {
  const error = await assertRejects(() => npmFiles(SMALL, ["nowhere.json"]), Error);
  assertStringIncludes(error.message, "Cannot find nowhere.json");
});
