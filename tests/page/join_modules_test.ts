import { assertEquals, assertThrows } from "@std/assert";
import { joinModules } from "../../src/page/files.ts";

const MODULES = new Map([
  [
    "app.js",
    'import { total as sum } from "./sum.js";\nimport {\n  LIST,\n} from "./list.js";\nglobalThis.joined = sum(LIST);\n',
  ],
  [
    "sum.js",
    'import { LIST } from "./list.js";\nconst start = LIST.length;\nexport function total(list) {\n  return list.reduce((a, b) => a + b, start);\n}\n',
  ],
  ["list.js", "const start = 1;\nexport const LIST = [start, 2];\n"],
]);

Deno.test("joinModules() runs each module once, after those that it imports, and their names do not meet", async () => {
  const joined = joinModules("app.js", MODULES);
  await import(`data:text/javascript,${encodeURIComponent(joined)}`);
  assertEquals(Reflect.get(globalThis, "joined"), 5);
  Reflect.deleteProperty(globalThis, "joined");
  assertEquals(joined.split("export").length, 1);
});

Deno.test("joinModules() throws for what it cannot read, and for a module that is missing", () => {
  const texts = ['import "./list.js";\n', "export default 1;\n", 'export * from "./list.js";\n'];
  for (const text of texts) {
    assertThrows(() => joinModules("a.js", new Map([["a.js", text]])), Error, "Cannot join a.js");
  }
  const missing = new Map([["a.js", 'import { b } from "./b.js";\n']]);
  assertThrows(() => joinModules("a.js", missing), Error, "b.js is missing");
});
