/** The output of a command, or of a process, and its exit status. */
export async function outcome(command: { output(): Promise<Deno.CommandOutput> }) {
  const { code, stdout, stderr } = await command.output();
  const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err: withoutWait(err) };
}

/** What a process says on stderr, but for the note after ten seconds of silence, which a busy machine causes. */
export function withoutWait(err: string): string {
  return err.replace("Waiting for DNS and registries\n", "");
}
