import { assert, assertEquals } from "@std/assert";

/**
 * Who may import whom: a room to the rooms and packages beyond itself. `types` are rooms of which only types may be
 * taken: they say what is needed without deciding who provides it.
 */
const HOUSE: Readonly<Record<string, { may: string[]; types?: string[] }>> = {
  "rules": { may: ["ipaddr.js"] },
  "flow": { may: [] },
  "sources": { may: ["rules", "flow"] },
  "store": { may: ["rules", "flow"] },
  "rate_limit": { may: ["rules", "flow"] },
  "chain": {
    may: ["rules", "flow", "viem", "viem/ens", "@ensdomains/content-hash", "dataloader"],
    types: ["sources"],
  },
  "lookup": { may: ["rules", "flow", "node:url"] },
  "api": {
    may: ["rules", "flow", "zod/mini", "hono/utils/accept"],
    types: ["lookup", "rate_limit", "services", "hono"],
  },
  // What it wraps, it wraps by type: it decides nothing about KV, hosts or jobs.
  "metrics": {
    may: [],
    types: ["flow", "rules", "rate_limit", "sources", "store", "lookup", "upkeep", "services"],
  },
  "mcp": {
    may: ["api", "rules", "zod/mini", "@modelcontextprotocol/server"],
    types: ["flow", "services"],
  },
  "documents": { may: ["api", "mcp", "flow", "zod/mini", "yaml"], types: ["services"] },
  "page": {
    may: ["api", "rules", "static", "hono/html"],
    types: ["services"],
  },
  "static": { may: [] },
  "cli": {
    may: ["store", "rules", "flow", "services", "world", "cron", "node:util"],
    types: ["lookup", "upkeep"],
  },
  // What its users import is types, and fetch.
  "client": { may: [], types: ["api", "zod/mini"] },
  "log": { may: [], types: ["flow"] },
  "config": { may: ["rules", "log", "zod/mini"] },
  // Nobody may import it, nor mcp, documents, inquiry, prices and upkeep, but by `import()` when it is first needed.
  "ethereum": {
    may: ["chain", "flow", "lookup", "metrics", "sources", "store"],
    types: ["config", "rules", "upstreams"],
  },
  "prices": {
    may: ["lookup", "metrics", "sources", "store"],
    types: ["config", "upstreams"],
  },
  "upkeep": { may: ["flow", "store"], types: ["log", "lookup", "rules"] },
  "upstreams": {
    may: ["rules", "flow", "sources", "store", "lookup", "metrics"],
    types: ["config", "log"],
  },
  "inquiry": { may: ["lookup", "upstreams"], types: ["config", "metrics", "rules", "store"] },
  "domains": {
    may: ["rules", "flow", "store", "lookup"],
    types: ["config", "inquiry", "metrics", "upstreams"],
  },
  "services": {
    may: ["domains", "rules", "flow", "rate_limit", "store", "lookup", "metrics"],
    types: ["config", "log", "upkeep", "upstreams"],
  },
  // Read by `import()`, only where OpenTelemetry is on.
  "tracing": { may: ["@opentelemetry/api"] },
  "world": { may: ["config", "log", "store", "deno.json"], types: ["upstreams"] },
  "app": { may: ["api", "page", "flow", "hono"], types: ["log", "mcp", "services"] },
  "cron": { may: ["rules"], types: ["flow", "lookup", "upkeep"] },
  "main": { may: ["app", "services", "world", "flow", "cron"] },
};

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const IMPORT =
  /^(?:import|export)\s+(?<only>type\s)?(?:[^;"']*?\sfrom\s+)?["'](?<specifier>[^"']+)["']/gm;

async function* sourceFiles(folder: URL): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, folder);
    if (entry.isDirectory) yield* sourceFiles(url);
    else if (/\.(?:ts|js)$/.test(entry.name)) yield url;
  }
}

const root = new URL("../", import.meta.url);

async function* ourFiles(): AsyncGenerator<URL> {
  for (const folder of ["src/", "cron/", "static/"]) yield* sourceFiles(new URL(folder, root));
}

/** The room of a file or of a specifier: the folder in src, the file's name at its top, or the package. */
function roomOf(url: URL): string {
  const path = url.pathname.slice(root.pathname.length);
  const [first = "", second = ""] = path.split("/");
  return (first === "src" ? second : first).replace(/\.ts$/, "");
}

async function importsOf(file: URL): Promise<Import[]> {
  const text = await Deno.readTextFile(file);
  return [...text.matchAll(IMPORT)].map(({ groups }) => {
    const specifier = groups?.specifier ?? "";
    return {
      from: roomOf(file),
      to: specifier.startsWith(".") ? roomOf(new URL(specifier, file)) : specifier,
      typeOnly: groups?.only !== undefined,
    };
  }).filter(({ from, to }) => from !== to);
}

function isForbidden({ from, to, typeOnly }: Import): boolean {
  const room = HOUSE[from];
  if (room === undefined) return true;
  return !room.may.includes(to) && !(typeOnly && room.types?.includes(to));
}

Deno.test("every import in src, cron, static and main.ts goes where the house has a door", async () => {
  const imports = await importsOf(new URL("main.ts", root));
  for await (const file of ourFiles()) imports.push(...await importsOf(file));
  assertEquals(imports.filter(isForbidden), []);
  // Were imports not found, nothing could be forbidden among them.
  const importing = new Set(imports.map(({ from }) => from));
  const closed = Object.keys(HOUSE).filter((room) => !importing.has(room));
  assertEquals(closed, ["flow", "static"]);
});

Deno.test("the import table forbids what it should", () => {
  assertEquals(isForbidden({ from: "rules", to: "sources", typeOnly: false }), true);
  assertEquals(isForbidden({ from: "lookup", to: "store", typeOnly: true }), true);
  assertEquals(isForbidden({ from: "api", to: "services", typeOnly: false }), true);
  assertEquals(isForbidden({ from: "api", to: "services", typeOnly: true }), false);
  assertEquals(isForbidden({ from: "attic", to: "rules", typeOnly: true }), true);
});

Deno.test("the top level holds what was agreed and nothing else", async () => {
  const agreed = [
    "LICENSE",
    "README.md",
    "cron",
    "deno.json",
    "deno.lock",
    "main.ts",
    "src",
    "static",
    "tests",
  ];
  const found: string[] = [];
  for await (const { name } of Deno.readDir(root)) {
    if (!name.startsWith(".") && name !== "coverage" && name !== "node_modules") found.push(name);
  }
  assertEquals(found.filter((name) => !agreed.includes(name)), []);
});

Deno.test("only log.ts writes to the console", async () => {
  const offenders: string[] = [];
  for await (const file of ourFiles()) {
    const text = await Deno.readTextFile(file);
    if (/\bconsole\./.test(text) && !file.pathname.endsWith("/log.ts")) {
      offenders.push(file.pathname);
    }
  }
  assertEquals(offenders, []);
});

Deno.test("a start reads no package but Hono, ipaddr.js and zod/mini, and none of what is printed on demand", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: root,
    stderr: "null",
  }).output();
  const { modules, redirects } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map<string, Module>(modules.map((one: Module) => [one.specifier, one]));
  const read = new Set([new URL("main.ts", root).href]);
  for (const specifier of read) {
    for (const { code, isDynamic } of byName.get(specifier)?.dependencies ?? []) {
      if (code !== undefined && !isDynamic) {
        read.add(redirects[code.specifier] ?? code.specifier);
      }
    }
  }
  const packages = [...read].filter((name) => name.startsWith("npm:"))
    .map((name) => name.replace(/^npm:\/?(.+)@[^/]+/, "$1"));
  assertEquals(packages.toSorted(), ["hono", "ipaddr.js", "zod/mini"]);
  assertEquals([...read].filter((name) => /\/(?:openapi|llms|mcp|tool)[^/]*$/.test(name)), []);
  assert([...byName.keys()].some((name) => name.endsWith("/openapi.ts")));
});

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[];
}
