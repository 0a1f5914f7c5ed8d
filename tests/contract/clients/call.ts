import type { paths } from "./types.ts";

type Operation = paths["/check"]["get"];
type Answer = Operation["responses"][200]["content"]["application/json"];

const query: Operation["parameters"]["query"] = { name: "mixed" };
const response = await fetch(`${Deno.args[0]}/check?${new URLSearchParams({ ...query })}`);
const { results }: Answer = await response.json();
for (const row of results) {
  const shown: string | boolean = row.state === "unknown" ? row.error : row.available;
  console.log(row.domain, shown);
}
