import { createFolder } from "./folder.ts";

/** Creates a KV file for several services of a test, which is deleted at the end. */
export async function createKvFile() {
  const folder = await createFolder();
  const path = `${folder.path}/kv`;
  return { ...folder, path, open: () => Deno.openKv(path) };
}

/** Whether KV has the answer about a domain: any, or that of a time. */
export async function isWritten(kv: Deno.Kv, domain: string, checkedAt?: string): Promise<boolean> {
  const dot = domain.indexOf(".");
  const { value } = await kv.get<Record<string, unknown[]>>(["domain", domain.slice(0, dot)]);
  const [, , askedAt] = value?.[domain.slice(dot + 1)] ?? [];
  return askedAt !== undefined && (checkedAt === undefined || askedAt === Date.parse(checkedAt));
}
