#!/usr/bin/env bash
# Builds what a release publishes into the folder $1: the npm tarball, the bundled command line for `deno run <address>`, and
# checksums. `--publish` as $2 publishes the tarball; CI runs the rest at each change.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
deno() { npx -y deno@2.9.6 "$@"; }

version=$(node -p 'require("./deno.json").version')
if [ "${GITHUB_REF_TYPE:-}" = tag ] && [ "$GITHUB_REF_NAME" != "v$version" ]; then
  echo "The tag $GITHUB_REF_NAME is not v$version, the version in deno.json" >&2
  exit 1
fi
tarball=$(deno task --quiet package --out "$out" | tail -n 1)
tar --extract --gzip --file "$tarball" --directory "$out" --strip-components=1 package/command.js
mv "$out/command.js" "$out/domain-availability.js"
(cd "$out" && sha256sum -- *.tgz *.js >SHA256SUMS)
npm pack --dry-run "$tarball"

if [ "${2:-}" = --publish ]; then
  # Needs an account: npm takes the workflow as a trusted publisher of the package, or NODE_AUTH_TOKEN. The workflow asks for
  # provenance, which npm can sign there only.
  if [ -n "${NODE_AUTH_TOKEN:-}" ]; then
    npm config set "$(npm config get registry | cut -d: -f2-):_authToken" "$NODE_AUTH_TOKEN"
  fi
  npm publish --access public "$tarball"
else
  echo "Not published: that needs an account at npm, and --publish"
fi
