#!/usr/bin/env bash
# build.sh VERB: everything that is done to this repository, from a fresh clone on. `./build.sh help` lists the verbs.
#
# What is built lands in build/ (parts, logs, tools) and dist/ (the page), what npm installs in web/node_modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

logs=build/log
# In bytes of the .xz that the page loads: disassembly, native files, ELF cores, variables with readers of 12 libraries, verdicts,
# what threads wait for, NatVis, slices and capsules, and reports that are text of twelve makers.
budget=2860000

help() {
  cat <<'TEXT'
./build.sh serve [PORT]   build everything and serve the page on 127.0.0.1 (8080, or a free port)
./build.sh test           build everything and run every test there is
./build.sh build          the page as a folder, dist/, that any static host can serve, and as one file, dist/viewer.html
./build.sh release VERSION   build/release/VERSION: six programs with the page inside, dist/, viewer.html, what they are made of, sums
./build.sh try_release [VERSION]   makes one twice, compares them byte for byte, and starts the programs in empty roots
./build.sh verify DIST    whether DIST is what its SHA256SUMS says, and what this tree builds
./build.sh program        build/crashglass, with the page inside
./build.sh check          formatting, vet, types, lint, size: what needs no test run
./build.sh fuzz [TIME]    every fuzz target for so long each (10s); fails where one finds something, or hardly runs
./build.sh hammer_js      damaged files of each format, read by WebAssembly in Node
./build.sh reliability    docs/reliability.md: the cost of damaged and hostile files; takes half an hour; "quick" takes minutes, "long" hours
./build.sh bench [FILE]   time and memory with large symbols, natively, in Chromium and beside other programs, as tables
./build.sh size           what the WebAssembly weighs, against its budget
./build.sh pictures       the pictures of the tour and of docs/pictures.md, by Chromium
./build.sh edge [PORT]    serve dist/ by the Cloudflare Worker, under workerd on 127.0.0.1
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

# Vite's own condition, which package.json repeats as "engines".
need_node() {
  node -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a >= 24 ? 0 : 1)' 2>/dev/null || fail \
    "Node 20.19, 22.12 or 24 and later is needed; found: $(node --version 2>/dev/null || echo none)." \
    "Install it: https://nodejs.org/en/download, or as a package of your system (nodejs and npm)."
  command -v npm >/dev/null || fail "npm is needed beside Node. Install it: apt-get install npm, or the package of your system."
}

# The lock file's copy in node_modules is written last, so an interrupted installation is done again.
need_packages() {
  need_node
  local mark=web/node_modules/.installed
  cmp -s web/package-lock.json "$mark" && return
  # npm empties a folder before it fills it: through a link that would be the folder of another checkout.
  [ ! -L web/node_modules ] || rm web/node_modules
  echo "Installing the npm packages of web/"
  (cd web && npm ci --no-audit --no-fund --loglevel=error)
  cp web/package-lock.json "$mark"
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

# What is compiled with inlining: the runtime, what scans symbol files, and what that calls for each byte or record. Everything
# else runs a few times for a crash, or never; without inlining there is 7 % less to load.
hot='runtime/... internal/... sync/... bytes cmp encoding/binary hash/... maps slices syscall/js
  crashglass/core/base/bin crashglass/core/base/recent crashglass/symbols/search crashglass/symbols/formats/breakpad'

# The last flag that fits a package counts. The names above are those of the module, whatever it is called.
inlining() { printf -- '-gcflags=all=-l '; printf -- '-gcflags=%s= ' ${hot//crashglass\//$(go list -m)/}; }

# Tables of lines are a fourteenth of what is loaded, and only tracebacks read them.
wasm() { # PACKAGE OUT
  GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags="-s -w $(number)" $(inlining) -o "$2.full" "$1"
  go run ./cmd/internal/lean "$2.full" "$2"
}

# The loader has to be that of the compiler, so it is taken from there.
build_wasm() {
  mkdir -p build
  wasm ./wasm/viewer build/viewer.wasm
  cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" build/wasm_exec.js
}

build_page() { in_web node test/run.js pack/main.ts; }

# What the linker sets to the number of a release.
number() { [ -z "${CRASHGLASS_VERSION:-}" ] || printf -- '-X %s/core/base/version.number=%s' "$(go list -m)" "$CRASHGLASS_VERSION"; }

# The program with the page inside.
build_program() {
  embed_page
  CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags page -ldflags="-X main.commit=$(commit) $(number)" -o build/crashglass ./cmd/crashglass
}

# Each file of the page once, compressed: the program unpacks what a client does not take.
embed_page() { go run ./cmd/build embed; }

# The commit of this tree, for --version. A tree that has changed since says so.
# A release made of a copy is told.
commit() { [ -n "${CRASHGLASS_COMMIT:-}" ] && echo "$CRASHGLASS_COMMIT" || git describe --always --abbrev=12 --exclude='*' --dirty 2>/dev/null || true; }

program() {
  build_all
  build_program
  echo "build/crashglass"
}

# Builds the same tree in another place, and compares. What it says is about DIST; what it needs is this tree.
verify() {
  local dist other=build/verify
  [ -f "${1:-}/SHA256SUMS" ] || fail "usage: ./build.sh verify DIST" "${1:-DIST} has no SHA256SUMS."
  dist=$(cd "$1" && pwd)
  need_go
  need_packages
  copy_tree $other
  (cd $other && ./build.sh build)
  in_web node test/run.js pack/verify.ts "$dist" "$PWD/$other/dist"
  rm -rf $other
}

# The files of this tree, each with a NUL behind it. Git lists a deleted one until its removal is staged.
files() { # [PATTERN...]
  git ls-files -co --exclude-standard -z -- "$@" | while IFS= read -rd '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done
}

# A copy of this tree with the same packages.
copy_tree() { # FOLDER
  rm -rf "$1"
  mkdir -p "$1"
  files | tar --null -T - -cf - | tar -xf - -C "$1"
  ln -s "$PWD/web/node_modules" "$1/web/node_modules"
}

build_all() {
  need_go
  need_packages
  build_wasm
  build_page
}

# --- Releasing --------------------------------------------------------------------------------------------------------

systems='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'

# Tools that say what a program is made of. Both are of the OWASP CycloneDX project.
cdxgen=@cyclonedx/cdxgen@12.8.4 cyclonedx_npm=@cyclonedx/cyclonedx-npm@6.0.1

release() {
  local version=${1:-} out
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.-]+)?$ ]] || fail "usage: ./build.sh release VERSION, like 1.2.3"
  out=build/release/$version
  export CRASHGLASS_VERSION=$version
  rm -rf "$out"
  mkdir -p "$out"
  build_all
  embed_page
  for system in $systems; do release_program "$system" "$out"; done
  cp dist/viewer.html LICENSE THIRD_PARTY_LICENSES release/Containerfile "$out"
  # The times, owners and order of files are those of nobody.
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - dist | gzip -9n >"$out/dist.tar.gz"
  changes "$version" >"$out/CHANGES.md"
  sbom "$version" >"$out/crashglass.cdx.json"
  (cd "$out" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
  echo "$out"
}

release_program() { # GOOS/GOARCH FOLDER
  local os=${1%/*} arch=${1#*/} end=
  [ "$os" != windows ] || end=.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -tags page \
    -ldflags="-s -w -X main.commit=$(commit) $(number)" -o "$2/crashglass-$os-$arch$end" ./cmd/crashglass
}

# The section of the changelog: that of the version, or what is not released yet.
changes() {
  awk -v version="$1" '/^## / { section = $2 } { text[section] = text[section] $0 "\n" }
    END { printf "%s", text[version in text ? version : "Unreleased"] }' CHANGELOG.md
}

sbom() {
  local tools=build/tools/sbom parts=build/sbom system part
  cmp -s <(echo "$cdxgen $cyclonedx_npm") $tools/.installed || {
    rm -rf $tools && mkdir -p $tools
    npm install --prefix $tools --no-audit --no-fund --omit=optional --loglevel=error "$cdxgen" "$cyclonedx_npm" >&2
    echo "$cdxgen $cyclonedx_npm" >$tools/.installed
  }
  rm -rf $parts && mkdir -p $parts
  {
    for system in $systems; do linked "${system%/*}" "${system#*/}" ./cmd/crashglass; done
    linked js wasm ./wasm/viewer
  } | sort -u >$parts/linked
  for system in $systems js/wasm; do
    part=${system/\//-}
    FETCH_LICENSE=false GOOS=${system%/*} GOARCH=${system#*/} \
      $tools/node_modules/.bin/cdxgen -t go --no-recurse --no-install-deps --spec-version 1.6 -o "$parts/go-$part.json" . >"$logs/sbom-$part" 2>&1 ||
      fail "cdxgen failed; see $logs/sbom-$part"
  done
  (cd web && ../$tools/node_modules/.bin/cyclonedx-npm --omit dev --package-lock-only --output-reproducible --spec-version 1.6 \
    --of JSON -o ../$parts/npm.json) >&2
  in_web node test/run.js pack/sbom.ts "$1" "$PWD/$parts/linked" "$PWD/$parts"/go-*.json "$PWD/$parts/npm.json"
}

# The modules of others that are linked, MODULE@VERSION.
linked() { # GOOS GOARCH PACKAGE
  CGO_ENABLED=0 GOOS=$1 GOARCH=$2 go list -deps -f '{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}}{{end}}{{end}}' "$3" | sed '/^$/d'
}

# Makes a release twice, the second time in another folder and without what Go has built before.
try_release() {
  local version=${1:-0.0.0} other=build/again
  release "$version"
  copy_tree $other
  (export CRASHGLASS_COMMIT && CRASHGLASS_COMMIT=$(commit) && cd $other && GOCACHE=$PWD/build/go-cache ./build.sh release "$version")
  diff -r "build/release/$version" "$other/build/release/$version" || fail "two builds of one tree differ"
  rm -rf $other
  release/start.sh "build/release/$version" "$version"
}

# --- Serving ----------------------------------------------------------------------------------------------------------

serve() {
  build_all
  build_program
  exec build/crashglass serve --addr "127.0.0.1:$(free_port "${1:-8080}")"
}

# The port that was asked for or, when it is taken, 0 for any.
free_port() {
  node -e 'const port = Number(process.argv[1]); require("net").createServer()
    .on("error", () => console.log(0)).listen(port, "127.0.0.1", function () { console.log(port); this.close(); })' "$1"
}

# The Worker, its glue and the configuration in build/edge, ready for workerd.
build_edge() {
  go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o build/edge
  wasm ./wasm/edge build/edge/app.wasm
  cp wasm/edge/{bounded.mjs,workerd.capnp,wrangler.jsonc} build/edge/
  echo 'import "./bounded.mjs";' >>build/edge/worker.mjs
}

edge() {
  build_all
  build_edge
  local port=${1:-8080}
  [ "$(free_port "$port")" != 0 ] || fail "Port $port is taken. Name another: ./build.sh edge 8081"
  echo "http://127.0.0.1:$port/"
  exec web/node_modules/.bin/workerd serve build/edge/workerd.capnp --socket-addr "http=127.0.0.1:$port" --directory-path "dist=$PWD/dist"
}

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

within_budget() {
  sizes
  [ "$(packed .xz)" -le "$budget" ]
}

checks() {
  step "gofmt" count_one gofmt_clean
  step "go vet" count_one go vet ./...
  step "go vet for js" count_one vet_js
  step "no dead code" count_one no_dead_code
  step "types and lint of the page" count_one in_web npm run --silent check
  step "size of the wasm" count_one within_budget
}

summary() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

check() {
  build_all
  mkdir -p $logs
  checks
  summary
}

# What go vet says stands in the checks: go test need not run it again.
run_tests() {
  mkdir -p $logs
  need_go
  need_packages
  need_chromium
  need_engines
  step "building the wasm" count_one build_wasm
  step "building the page" count_one build_page
  step "building the Worker" count_one build_edge
  step "building the program" count_one build_program
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

# Writes docs/reliability.md from the output of these commands. The text from
# "Longer runs" on is kept: its runs take hours and were made on other days.
reliability() {
  local all= mutations=10000 time=5s
  case "${1:-}" in
    quick) mutations=400 time=4s ;;
    long) all=-allbombs mutations=100000 time=1m ;;
  esac
  need_go
  need_packages
  need_chromium
  build_all
  build_program
  local page=build/reliability.md
  {
    echo "# The cost of damaged and hostile files"
    echo
    echo "Made by \`./build.sh reliability\` on $(date -u +%Y-%m-%d), at commit $(commit), with $(nproc) CPUs. \
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
  sed -n '/^## Longer runs/,$p' docs/reliability.md | sed '1i\\' >>$page
  mv $page docs/reliability.md
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
  need_packages
  need_chromium
  in_web node test/run.js test/pictures.ts
}

# --- Measuring --------------------------------------------------------------------------------------------------------

# packed FORM: the bytes of the program as the page's build packed it; as it is without a form.
packed() { cat dist/assets/viewer-*.wasm"$1" | wc -c; }

sizes() {
  printf '%-6s %9d bytes\n' raw "$(packed '')" gzip "$(packed .gz)" brotli "$(packed .br)"
  printf '%-6s %9d bytes of a budget of %d\n' xz "$(packed .xz)" "$budget"
}

size() {
  build_all
  sizes
}

bench() {
  build_all
  need_chromium
  build_program
  local out=${1:-}
  [ -z "$out" ] || [ "${out:0:1}" = / ] || out=$PWD/$out
  CRASHGLASS_BENCH_OUT=$out in_web node test/run.js test/bench.ts
}

verb=${1:-help}
case $verb in
  serve | build | verify | program | release | try_release | check | fuzz | reliability | hammer_js | bench | pictures | size | edge | help) ;;
  test) verb=run_tests ;;
  *) help >&2; exit 2 ;;
esac
[ "$verb" != build ] || verb=build_all
shift || true
mkdir -p $logs
"$verb" "$@"
