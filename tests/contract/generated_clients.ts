/** Clients that five generators make of the OpenAPI document: each compiles, and reads rows of every state from the lab. */
import { assert, assertMatch } from "@std/assert";
import { openapi } from "../../src/documents/openapi.ts";
import { startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";
import { npmTool } from "./npm_tool.ts";

const PROGRAMS = new URL("clients/", import.meta.url);
const PYPI = ["openapi-python-client==0.29.1", "openapi-generator-cli==7.26.0"];
const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
/** Rust compiles for minutes. */
const TIMEOUT_MS = 15 * 60_000;

/** Where a client is made: a folder with the document, commands in it, and the service. */
interface Workshop {
  folder: string;
  /** Runs a command in the folder, or below it, and returns what it prints. */
  run(command: string, args: string[], below?: string): Promise<string>;
  /** Copies a program of ours. */
  copy(program: string, to: string): Promise<void>;
  url: string;
}

/** Makes a client and returns what its program prints. */
type Make = (workshop: Workshop) => Promise<string>;

async function generated(
  { run, folder }: Workshop,
  generator: "go" | "rust",
  properties: string,
): Promise<void> {
  await installPython({ run, folder });
  // deno-fmt-ignore -- options and their values
  await run("venv/bin/openapi-generator-cli", [
    "generate", "-i", "openapi.json", "-g", generator, "-o", "client",
    "--git-user-id", "example", "--git-repo-id", "domains", "--additional-properties", properties,
  ]);
}

async function installPython({ run }: Pick<Workshop, "run" | "folder">): Promise<void> {
  await run("python3", ["-m", "venv", "venv"]);
  await run("venv/bin/pip", ["install", "--quiet", ...PYPI]);
}

const CLIENTS: Readonly<Record<string, { needs: readonly string[]; make: Make }>> = {
  "TypeScript (openapi-typescript)": {
    needs: ["npx"],
    async make({ folder, run, copy, url }) {
      const types = ["openapi.json", "-o", "types.ts"];
      const { success } = await (await npmTool("openapi-typescript", types, folder)).output();
      assert(success);
      // Not a module here: it imports what is generated beside its copy.
      await copy("call.ts.txt", "call.ts");
      const safe = ["--no-config", "--no-lock", "--quiet"];
      return await run(Deno.execPath(), ["run", "--check", ...safe, "--allow-net", "call.ts", url]);
    },
  },
  "Python (openapi-python-client)": {
    needs: ["python3"],
    async make(workshop) {
      const { run, copy, url } = workshop;
      await installPython(workshop);
      const options = ["--path", "openapi.json", "--output-path", "domains", "--meta", "none"];
      await run("venv/bin/openapi-python-client", ["generate", ...options]);
      await copy("call.py", "call.py");
      return await run("venv/bin/python", ["call.py", url]);
    },
  },
  "Go (oapi-codegen)": {
    needs: ["go"],
    async make({ folder, run, copy, url }) {
      await Deno.mkdir(`${folder}/domains`);
      await Deno.writeTextFile(`${folder}/go.mod`, "module clients\n\ngo 1.24\n");
      const options = ["-generate", "types,client", "-package", "domains"];
      const to = ["-o", "domains/domains.go", "openapi.json"];
      await run("go", ["run", OAPI_CODEGEN, ...options, ...to]);
      await copy("oapi_codegen.go", "main.go");
      await run("go", ["mod", "tidy"]);
      return await run("go", ["run", ".", url]);
    },
  },
  "Go (openapi-generator)": {
    needs: ["go", "python3", "java"],
    async make(workshop) {
      const { folder, run, copy, url } = workshop;
      await generated(workshop, "go", "packageName=domains,isGoSubmodule=false");
      await Deno.mkdir(`${folder}/client/call`);
      await copy("openapi_generator.go", "client/call/main.go");
      return await run("go", ["run", "-mod=mod", "./call", url], "client");
    },
  },
  "Rust (openapi-generator)": {
    needs: ["cargo", "python3", "java"],
    async make(workshop) {
      const { folder, run, copy, url } = workshop;
      await generated(workshop, "rust", "packageName=domains");
      await Deno.mkdir(`${folder}/client/src/bin`);
      await copy("call.rs", "client/src/bin/call.rs");
      const tokio = ["add", "--quiet", "tokio", "--features", "rt,macros,net,time"];
      await run("cargo", tokio, "client");
      const call = ["run", "--quiet", "--no-default-features", "--bin", "call", url];
      return await run("cargo", call, "client");
    },
  },
};

for (const [language, { needs, make }] of Object.entries(CLIENTS)) {
  const missing = needs.filter((tool) => !isInstalled(tool));
  const hint = missing.length === 0 ? "" : ` (skipped: ${missing.join(", ")} not found)`;
  Deno.test({
    name: `a client generated for ${language} compiles, and reads rows of every state${hint}`,
    ignore: missing.length > 0,
    timeout: TIMEOUT_MS,
    async fn() {
      await using lab = await startLab();
      await using service = await startService(lab);
      const folder = await Deno.makeTempDir();
      const run: Workshop["run"] = async (command, args, below = ".") => {
        const path = command.startsWith("venv/") ? `${folder}/${command}` : command;
        // Without RES_OPTIONS, by which the lab has turned off this process's DNS.
        const options = { args, cwd: `${folder}/${below}`, env: { RES_OPTIONS: "" } };
        const { success, stdout, stderr } = await new Deno.Command(path, options).output();
        const [out = "", err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        assert(success, `${command} ${args.join(" ")}: ${out}${err}`);
        return out;
      };
      const copy: Workshop["copy"] = (program, to) =>
        Deno.copyFile(new URL(program, PROGRAMS), `${folder}/${to}`);
      try {
        const document = openapi({ version: "1.2.3", limit: 60 });
        await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(document));
        const printed = await make({ folder, run, copy, url: service.url });
        assertMatch(printed, /^mixed\.com false$/m);
        assertMatch(printed, /^mixed\.ai true$/m);
        assertMatch(printed, /^mixed\.io The registry answered 503$/m);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

function isInstalled(tool: string): boolean {
  const { success } = new Deno.Command("which", { args: [tool], stdout: "null", stderr: "null" })
    .outputSync();
  return success;
}
