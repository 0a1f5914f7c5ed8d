import { assertThrows } from "@std/assert";
import { joinModules } from "../../src/page/files.ts";

Deno.test("joinModules() throws for what it cannot read, and for a module that is missing", () => {
  const texts = ['import "./list.js";\n', "export default 1;\n", 'export * from "./list.js";\n'];
  for (const text of texts) {
    assertThrows(() => joinModules("a.js", new Map([["a.js", text]])), Error, "Cannot join a.js");
  }
  const missing = new Map([["a.js", 'import { b } from "./b.js";\n']]);
  assertThrows(() => joinModules("a.js", missing), Error, "b.js is missing");
});
