#!/bin/sh
# crashes.sh DUMPS SYMBOLS OUT [KNOWN]: writes a summary, the groups, and for each group a page with one sanitized dump. KNOWN has the
# crashes that are accepted (known.json). On GitHub, each crash that is new or back becomes an annotation, and the summary becomes that of the job.
#
# Exit codes: 0 no new crash; 1 no new crash, but a dump could not be read; 2 jq is missing; 4 a crash is new or back.
set -u
dumps=$1 symbols=$2 out=$3 known=${4:-known.json}
command -v jq >/dev/null || { echo "crashes.sh: jq is missing" >&2; exit 2; }
mkdir -p "$out"
status=0
if [ -z "$(find "$dumps" -type f 2>/dev/null | head -n 1)" ]; then
  echo "No crashes." >"$out/summary.md"
else
  [ -e "$symbols" ] || mkdir -p "$symbols"
  [ -f "$known" ] || echo '{"groups": []}' >"$known"
  crashglass triage --format json --baseline "$known" -o "$out/crashes.json" "$dumps" "$symbols" || status=$?
  crashglass triage --merge --format markdown --baseline "$known" --fail-on never -o "$out/summary.md" "$out/crashes.json"
  # A path with a line break would be two, and on Windows jq ends lines with CR LF.
  jq -r '.groups[] | first(.dumps | keys[] | select(test("[\r\n]") | not))' "$out/crashes.json" | tr -d '\r' | {
    page=0
    while IFS= read -r dump; do
      page=$((page + 1)) name=$(basename "$dump") file=$dump
      # The path of a dump in an archive begins with that of the archive.
      while [ ! -f "$file" ] && [ "$file" != "${file%/*}" ]; do file=${file%/*}; done
      crashglass capsule --names own -o "$out/$page-$name.html" "$file" "$symbols" 2>"$out/$page-$name.txt" </dev/null
    done
  }
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    # A command of a workflow is a line, and escapes what would end a value.
    jq -r 'def escaped: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
      .groups[] | select(.state == "new" or .state == "back") |
      "::error title=Crash that is \(.state)::\(.count) times: \(.signature | escaped)"' "$out/crashes.json"
  fi
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit "$status"
