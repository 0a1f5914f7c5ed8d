import manifest from "../../deno.json" with { type: "json" };

/** What follows `deno` in `deno task start`: tests and the demo start the service as its users do. */
export const START_ARGS: readonly string[] = manifest.tasks.start.command.split(" ").slice(1);
