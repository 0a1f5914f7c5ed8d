/** How `deno task check` is used, for `--help`. */
export const USAGE = `Usage: deno task check <name…> [options]
       deno task check --file names.txt [options]
       some-command | deno task check [options]

A name is checked under every TLD, or under its own: example, example.com. Names
on Ethereum are checked where they are asked for: example.eth, or --tld eth.

  --tld com,net      only these TLDs; may be repeated
  --file <path>      names from a file, one a line, # begins a comment; may be
                     repeated. What is piped in needs no option; - is stdin too
  --free             show only what is free
  --json             a JSON array, one result a line as they arrive
  --ndjson           one JSON object a line
  --csv              CSV with a header
  --concurrency <n>  names under way at once, 1 to 1000 (64; with --url 8); each
                     registry is asked at its own pace all the same
  --url <url>        ask a running service instead
  --key <key>        its API key; in the variable API_KEY it does not show in ps
  --help, --version

A line that is no name is reported with its number, and the others go on. For a
list, a registry that asks for a pause is waited for. What was found out is kept
for a while: after Ctrl-C the same command goes on where it was.

Exit status: 0 all answered; 1 wrong use, or a line that is no name; 2 at least
one could not be told; 130 ended by Ctrl-C, after a summary of what is known (a
second Ctrl-C ends at once).

Examples:
  deno task check example
  deno task check example example.io --json
  deno task check --file names.txt --tld com,net --free
  sort -u words.txt | deno task check --tld com --csv > names.csv
  deno task check example --url https://domains.example.org`;
