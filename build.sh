#!/usr/bin/env bash
# build.sh VERB: everything that is done to this repository, from a fresh clone on. `./build.sh help` lists the verbs. Most are those of
# the Go program cmd/build, which is for systems without a shell, too; the tests are here.
#
# What is built lands in build/ (parts, logs, tools) and dist/ (the page), what npm installs in web/node_modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

logs=build/log

help() {
  tool help
  cat <<'TEXT'
./build.sh test                  build everything and run every test there is
./build.sh check                 formatting, vet, types, lint, size: what needs no test run
./build.sh fuzz [TIME]           every fuzz target for so long each (10s); fails where one finds something, or hardly runs
./build.sh hammer_js             damaged files of each format, read by WebAssembly in Node
./build.sh reliability           docs/developers/reliability.md: the cost of damaged and hostile files; takes half an hour; "quick" takes minutes, "long" hours
./build.sh bench [FILE]          time and memory with large symbols, natively, in Chromium and beside other programs, as tables
./build.sh pictures              the pictures of docs/tour.md and docs/pictures.md, by Chromium
TEXT
}

fail() { printf '%s\n' "$@" >&2; exit 1; }

# --- What has to be there ---------------------------------------------------------------------------------------------

need_go() {
  command -v go >/dev/null || [ ! -x /usr/local/go/bin/go ] || PATH=$PATH:/usr/local/go/bin
  command -v go >/dev/null && go version | grep -qE 'go1\.(2[6-9]|[3-9][0-9])' || fail \
    "Go 1.26 or later is needed; found: $(go version 2>/dev/null || echo none)." \
    "Install it: download go1.26 for your system from https://go.dev/dl/ and unpack it to /usr/local."
}

# Sets CHROMIUM, which the tests start.
need_chromium() {
  find_chromium && return
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium, to test in"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } \
      >"$logs/apt" 2>&1 || { tail -5 "$logs/apt" >&2; fail "Chromium could not be installed."; }
    find_chromium && return
  fi
  fail "Chrome or Chromium is needed, to test in." \
    "Install it: apt-get install chromium, or set CHROMIUM to the path of the program."
}

# Firefox and WebKit are tested in where they are installed, or can be. Where they are not, the tests say so and are skipped.
need_engines() {
  local wanted=()
  command -v firefox-esr >/dev/null || command -v firefox >/dev/null || wanted+=(firefox-esr)
  command -v WebKitWebDriver >/dev/null || wanted+=(webkit2gtk-driver)
  command -v Xvfb >/dev/null || wanted+=(xvfb)
  [ ${#wanted[@]} -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 0
  echo "Installing ${wanted[*]}, to test in"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"; } \
    >"$logs/apt" 2>&1 || tail -5 "$logs/apt" >&2
}

find_chromium() {
  local name
  for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" /Applications/Chromium.app/Contents/MacOS/Chromium; do
    CHROMIUM=$(command -v "$name") && export CHROMIUM && return
  done
  return 1
}

# --- Building ---------------------------------------------------------------------------------------------------------

# tool VERB: cmd/build, which does all of this. Here is only what starts it, and the tests.
tool() {
  tool_built
  build/tools/build "$@"
}

tool_built() {
  need_go
  go build -o build/tools/build ./cmd/build
}

# The files of this tree, each with a NUL behind it. Git lists a deleted one until its removal is staged.
files() { # [PATTERN...]
  git ls-files -co --exclude-standard -z -- "$@" | while IFS= read -rd '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done
}

build_all() { tool build; }

# --- Testing ----------------------------------------------------------------------------------------------------------

passed=0 failed=0

# step NAME COUNTER COMMAND...: runs a command with its output in a log, and counts what passed and failed in it. A
# command that fails without a failed test among its output counts as one failure. A function ends at its first command
# that fails: bash would ignore "set -e" if the function stood before "||", so that a failed build could count as passed.
step() {
  local name=$1 counter=$2 log=$logs/${1// /-} status=0 good bad start=$SECONDS
  shift 2
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1
  status=$?
  set -e
  read -r good bad < <("$counter" "$log" "$status")
  [ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
  passed=$((passed + good)) failed=$((failed + bad))
  printf '%-34s %6d passed %4d failed %5d s\n' "$name" "$good" "$bad" $((SECONDS - start))
  [ "$bad" = 0 ] || show_failure "$counter" "$log"
}

show_failure() { # COUNTER LOG
  if [ "$1" = count_go ]; then failed_go "$2"; else sed 's/\x1b\[[0-9;]*m//g' "$2" | tail -60; fi | sed 's/^/    /'
}

# Of go test -v: what each failed test said, and whatever is no test's output.
failed_go() {
  awk '/^=== RUN +[^\/]+$/ { said = "" }
    /^=== |^ *--- (PASS|SKIP)/ { next }
    /^--- FAIL/ { printf "%s", said; said = "" }
    /^ *--- FAIL|^FAIL|^panic:|^#|^[^ ]+\.go:/ { print; next }
    { said = said $0 "\n" }' "$1" | tail -120
}

count_one() { [ "$2" = 0 ] && echo 1 0 || echo 0 1; }

count_go() { echo "$(grep -cE '^ *--- PASS' "$1")" "$(grep -cE '^ *--- FAIL|\[(build|setup) failed\]|^panic: ' "$1")"; }

# vitest ends with "Tests  2 failed | 24 passed (26)".
count_vitest() {
  local line
  line=$(sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -E '^ +Tests ' | tail -1)
  echo "$(grep -oE '[0-9]+ passed' <<<"$line" | grep -oE '[0-9]+' || echo 0)" \
    "$(grep -oE '[0-9]+ failed' <<<"$line" | grep -oE '[0-9]+' || echo 0)"
}

gofmt_clean() {
  local wrong
  wrong=$(files '*.go' | xargs -0 gofmt -l)
  [ -z "$wrong" ] || { echo "gofmt would change:"; echo "$wrong"; return 1; }
}

# What neither the program nor the page reaches is for tests alone, and belongs to them. unreachable.txt has the exceptions;
# one that is of no function any more has to go, too.
deadcode=golang.org/x/tools/cmd/deadcode@v0.52.0

unreachable() { "$PWD/build/tools/deadcode" -f '{{range .Funcs}}{{$.Path}}.{{.Name}}{{println}}{{end}}' "$@" | sed '/^$/d' | sort -u; }

# What a step depends on is the same as when it passed last.
passed_before() { # NAME DIGEST
  [ "$(cat "build/passed/$1" 2>/dev/null)" = "$2" ]
}

remember_passed() { # NAME DIGEST
  mkdir -p build/passed
  echo "$2" >"build/passed/$1"
}

# All Go code of this tree, and what it is built with.
go_digest() {
  { go version; files '*.go' go.mod go.sum core/testkit/unreachable.txt build.sh | xargs -0 sha256sum; } | sha256sum
}

no_dead_code() {
  local digest
  digest=$(go_digest)
  passed_before deadcode "$digest" && return
  look_for_dead_code || return
  remember_passed deadcode "$digest"
}

look_for_dead_code() {
  local dead name reason status=0
  [ "$(go version -m build/tools/deadcode 2>/dev/null | awk '$1 == "mod" { print $3 }')" = "${deadcode#*@}" ] ||
    GOBIN=$PWD/build/tools go install "$deadcode"
  dead=$(comm -12 <(unreachable ./cmd/...) <(GOOS=js GOARCH=wasm unreachable ./wasm/...))
  while read -r name reason; do
    grep -qF "$name" <<<"$dead" || { echo "core/testkit/unreachable.txt: $name is reached, or is no more"; status=1; }
    dead=$(grep -vF "$name" <<<"$dead" || true)
  done < <(grep -v '^#' core/testkit/unreachable.txt | sed '/^$/d')
  [ -z "$dead" ] || { echo "Only tests call:"; echo "$dead"; status=1; }
  return $status
}

vet_js() { GOOS=js GOARCH=wasm go vet ./core/... ./symbols/... ./wasm/...; }

# Node is started with an empty environment: Go's arguments and environment must fit in 8 KB under js.
in_node() { # PACKAGES AND FLAGS
  local exec
  exec="env -i 'PATH=$PATH' 'HOME=$HOME' 'TMPDIR=${TMPDIR:-/tmp}' '$(go env GOROOT)/lib/wasm/go_js_wasm_exec'"
  GOOS=js GOARCH=wasm go test -vet=off -v -exec "$exec" "$@"
}

go_test_js() { in_node ./core/... ./symbols/... ./wasm/internal/... ./wasm/viewer; }

in_web() { (cd web && "$@"); }

checks() {
  step "gofmt" count_one gofmt_clean
  step "go vet" count_one go vet ./...
  step "go vet for js" count_one vet_js
  step "no dead code" count_one no_dead_code
  step "types and lint of the page" count_one in_web npm run --silent check
  step "size of the wasm" count_one tool budget
}

summary() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

check() {
  build_all
  checks
  summary
}

# What go vet says stands in the checks: go test need not run it again.
run_tests() {
  tool packages
  need_chromium
  need_engines
  step "building the wasm" count_one tool wasm
  step "building the page" count_one tool page
  step "building the npm package" count_one tool package
  step "building the extension" count_one tool extension
  step "building the Worker" count_one tool worker
  step "building the program" count_one tool bare_program
  checks
  step "Go tests" count_go go test -vet=off -v ./...
  step "Go tests in Node, as wasm" count_go go_test_js
  step "unit tests of the page" count_vitest in_web npx vitest run
  step "the page in Chromium" count_vitest in_web npx vitest run --config vitest.e2e.config.ts --exclude 'test/engines/**'
  step "the page in three engines" count_vitest in_web npx vitest run --config vitest.e2e.config.ts test/engines/
  summary
}

# A target that runs less often than this, each second, does not look at much: it was 20 to 20,000 when this was written.
fuzz_floor=10

fuzz() {
  need_go
  local time=${1:-10s} log=$logs/fuzz file target execs floor status=0
  floor=$(($(seconds "$time") * fuzz_floor))
  while IFS=: read -r file target; do
    # Without a bound on minimizing, one find takes all the time there is.
    go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 5x >"$log" 2>&1 ||
      { tail -40 "$log"; status=1; }
    execs=$(grep -oE 'execs: [0-9]+' "$log" | tail -1 | grep -oE '[0-9]+' || echo 0)
    printf '%-28s %-26s %10d executions\n' "$(dirname "$file")" "$target" "$execs"
    [ "$execs" -ge "$floor" ] || { echo "    fewer than $floor"; status=1; }
  done < <(files '*_test.go' | xargs -0 grep -HoE '^func Fuzz[A-Za-z0-9_]+' | sed 's/func //')
  return $status
}

# Writes docs/developers/reliability.md from the output of these commands. The text from
# "Longer runs" on is kept: its runs take hours and were made on other days.
reliability() {
  local all= mutations=10000 time=5s
  case "${1:-}" in
    quick) mutations=400 time=4s ;;
    long) all=-allbombs mutations=100000 time=1m ;;
  esac
  tool packages
  need_chromium
  build_all
  tool bare_program
  local page=build/reliability.md
  {
    echo "# The cost of damaged and hostile files"
    echo
    echo "Made by \`./build.sh reliability\` on $(date -u +%Y-%m-%d), at commit $(git describe --always --dirty), with $(nproc) CPUs. \
Each row has a command and the lines that it printed. \
\"The slowest\" is the most time that one file took, \
and \"the largest\" the most memory that was allocated for one, freed memory included. \
A command that failed is marked **failed**, with its last line."
    echo
    echo "| what | result | command |"
    echo "|---|---|---|"
  } >$page
  line "Bombs: small files that are expensive to read" 'runs,' \
    "go test ./cmd/crashglass -run TestBombs -v $all -timeout 1h"
  line "Damaged files of each format, read by the native program" 'files, the slowest' \
    "go test ./core/testkit/hammer -run TestHammer -v -mutations $mutations -timeout 12h"
  line "A sample of them, read by the same code as WebAssembly in Node" 'files, the slowest' "./build.sh hammer_js"
  line "A panic loses only its file or its part of a report" '^ok' "go test ./core/analyze ./symbols ./cmd/crashglass -run TestBug"
  line "The page leaves out files that kill its worker, and keeps the dump" 'Tests ' "in_web npx vitest run src/engine/supervisor.test.ts"
  line "The command line, WebAssembly in Node and WebAssembly in Chromium give the same answer" 'Tests ' "in_web npx vitest run --config vitest.e2e.config.ts test/same.e2e.ts"
  line "Known vulnerabilities of Go modules" 'No vulnerabilities|Your code is affected' "go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 ./..."
  line "Known vulnerabilities of npm packages" 'vulnerabilities' "in_web npm audit"
  line "Fuzz targets, executions of each" 'executions|fewer than' "./build.sh fuzz $time"
  sed -n '/^## Longer runs/,$p' docs/developers/reliability.md | sed '1i\\' >>$page
  mv $page docs/developers/reliability.md
}

# line WHAT EXPRESSION COMMAND: a row of the table, with the lines of the command's output that match the expression.
line() {
  local said log=$logs/reliability status=0
  echo "$3" >&2
  $3 >"$log" 2>&1 || status=$?
  said=$(sed 's/\x1b\[[0-9;]*m//g' "$log" | { grep -E "$2" || true; } | sed 's/^ *//; s/  */ /g; s/|/\\|/g' | paste -sd '\n' | sed ':a; N; $!ba; s/\n/<br>/g')
  [ "$status" = 0 ] || said="${said:+$said }**failed**: $(grep -vE '^ *$|complete log of this run' "$log" | tail -1 | cut -c1-200)"
  printf '| %s | %s | `%s` |\n' "$1" "$said" "${3/#in_web /"cd web && "}" >>$page
}

hammer_js() {
  need_go
  in_node ./core/testkit/hammer -run TestHammer
}

# The seconds of a duration as Go writes it: 90s, 5m, 1h30m.
seconds() {
  local total=0 part
  for part in $(grep -oE '[0-9]+[hms]' <<<"$1"); do
    case $part in
      *h) total=$((total + ${part%h} * 3600)) ;;
      *m) total=$((total + ${part%m} * 60)) ;;
      *s) total=$((total + ${part%s})) ;;
    esac
  done
  echo $total
}

pictures() {
  build_all
  need_chromium
  in_web node test/run.js test/pictures.ts
}

# --- Measuring --------------------------------------------------------------------------------------------------------

bench() {
  build_all
  need_chromium
  tool bare_program
  local out=${1:-}
  [ -z "$out" ] || [ "${out:0:1}" = / ] || out=$PWD/$out
  CRASHGLASS_BENCH_OUT=$out in_web node test/run.js test/bench.ts
}

# Tests read this file for its functions.
[ "${BASH_SOURCE[0]}" = "$0" ] || return 0

verb=${1:-help}
shift || true
mkdir -p $logs
case $verb in
  check | fuzz | reliability | hammer_js | bench | pictures | help) "$verb" "$@" ;;
  test) run_tests ;;
  *)
    tool_built
    exec build/tools/build "$verb" "$@"
    ;;
esac
