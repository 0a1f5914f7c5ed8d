#!/usr/bin/env bash
# Checks names by $COMMAND and compares their states with those in the file $STATE, which it then replaces. The variables are
# those of action.yml. Exit status: 1 if a name got a state of $FAIL_ON, or if the check itself failed.
set -euo pipefail

# A misspelt state would never fail the step.
for state in ${FAIL_ON//,/ }; do
  case "$state" in
    available | taken | reserved | unknown) ;;
    *) echo "::error::fail-on: expected available, taken, reserved, unknown" && exit 1 ;;
  esac
done

# Names are words, never patterns of the folder's files.
set -f
args=(--csv)
[ -z "${TLDS_OF_NAMES:-}" ] || args+=(--tld "$TLDS_OF_NAMES")
[ -z "${LIST:-}" ] || args+=(--file "$LIST")
# A name that begins with a hyphen must not become an option.
args+=(--)
for name in ${NAMES:-}; do args+=("$name"); done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
# Of several words: the command and its first argument.
# shellcheck disable=SC2086
$COMMAND "${args[@]}" >"$work/rows.csv" </dev/null || status=$?
# 2: at least one result is unknown, which is a state like the others.
[ "$status" = 0 ] || [ "$status" = 2 ] || exit "$status"
# A premium name is available.
tr -d '\r' <"$work/rows.csv" | awk -F, 'NR > 1 { print $1, $2 == "premium" ? "available" : $2 }' |
  LC_ALL=C sort >"$work/now"

if [ -z "${STATE:-}" ]; then
  awk '{ print $1, "-", $2 }' "$work/now" >"$work/changes"
elif [ -e "$STATE" ]; then
  awk 'NR == FNR { before[$1] = $2; next } before[$1] != $2 { print $1, (before[$1] ? before[$1] : "-"), $2 }' \
    "$STATE" "$work/now" >"$work/changes"
else
  # The first run: nothing has changed yet.
  : >"$work/changes"
fi
if [ -n "${STATE:-}" ]; then
  mkdir -p "$(dirname "$STATE")"
  cp "$work/now" "$STATE"
fi

{
  echo "| name | before | now |"
  echo "| ---- | ------ | --- |"
  awk '{ print "| `" $1 "` | " $2 " | " $3 " |" }' "$work/changes"
} >"$work/table"
{
  echo "changes<<end-of-changes"
  cat "$work/changes"
  echo "end-of-changes"
} >>"${GITHUB_OUTPUT:-/dev/stdout}"
[ -s "$work/changes" ] || exit 0
cat "$work/table" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
if [ "${COMMENT:-}" = true ] && [ -n "${PULL_REQUEST:-}" ]; then
  gh pr comment "$PULL_REQUEST" --body-file "$work/table"
fi

failed=0
while read -r name before now; do
  case " ${FAIL_ON//,/ } " in
    *" $now "*) failed=1 && echo "::error::$name is $now (before: $before)" ;;
    *) echo "::notice::$name is $now (before: $before)" ;;
  esac
done <"$work/changes"
exit "$failed"
