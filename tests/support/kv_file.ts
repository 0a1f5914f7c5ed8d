import { createFolder } from "./folder.ts";

/** Creates a KV file for several services of a test, which is deleted at the end. */
export async function createKvFile() {
  const folder = await createFolder();
  const path = `${folder.path}/kv`;
  return { ...folder, path, open: () => Deno.openKv(path) };
}

/** Whether KV has the answer about a domain. */
export async function isWritten(kv: Deno.Kv, domain: string): Promise<boolean> {
  const dot = domain.indexOf(".");
  const { value } = await kv.get<object>(["domain", domain.slice(0, dot)]);
  return Object.hasOwn(value ?? {}, domain.slice(dot + 1));
}
