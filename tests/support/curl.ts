const WORD = /'([^']*)'|(\S+)/g;

/** Runs a `curl` command line of our documents with fetch; throws for an option that it does not know. */
export async function curl(command: string): Promise<Response> {
  const [name, ...words] = [...command.replaceAll("\\\n", " ").matchAll(WORD)]
    .map(([, quoted, bare]) => quoted ?? bare ?? "");
  if (name !== "curl") throw new Error(`Cannot run ${command}: it is not curl`);
  const headers = new Headers();
  let url: string | undefined;
  let body: string | undefined;
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-H") {
      const [name = "", value = ""] = (words.shift() ?? "").split(": ");
      headers.set(name, value);
    } else if (word === "-N") continue;
    else if (word === "-d") body = words.shift();
    else if (word.startsWith("http")) url = word;
    else throw new Error(`Cannot run ${command}: unknown option ${word}`);
  }
  if (url === undefined) throw new Error(`Cannot run ${command}: it has no URL`);
  return await fetch(url, body === undefined ? { headers } : { method: "POST", headers, body });
}
