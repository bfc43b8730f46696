#!/usr/bin/env bash
# start.sh RELEASE VERSION: starts the programs of a release where nothing else is: those for Linux in an empty root that cannot
# be written to, as the container has it, and that for Windows under Wine. What this machine cannot start is named.
set -euo pipefail
release=$(cd "$1" && pwd) version=$2
dump=$(cd "$(dirname "$0")/.." && pwd)/web/example/crash.dmp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$*" >&2; exit 1; }

# expect WHAT COMMAND...: the command's output has the text.
expect() {
  local want=$1 got
  shift
  got=$("$@" 2>&1 <"$dump") || fail "$*: $got"
  grep -qF "$want" <<<"$got" || fail "$*: $want is not in: $got"
}

# everything COMMAND...: what a program has to do anywhere.
everything() {
  expect "crashglass $version " "$@" --version
  expect "Apache License" "$@" licenses
  expect "Made by Crashglass $version" "$@" walk -
}

# in_root FOLDER COMMAND...: with that folder as the root, read-only and without another mount.
in_root() {
  local root=$1
  shift
  unshare --mount -- sh -c 'root=$1; shift; mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" && exec chroot "$root" "$@"' sh "$root" "$@"
}

serves() { # ROOT COMMAND...
  local url
  in_root "$@" serve --addr 127.0.0.1:0 >"$work/url" 2>"$work/said" &
  local process=$!
  for _ in $(seq 100); do [ -s "$work/url" ] && break; sleep 0.1; done
  url=$(cat "$work/url")
  curl -fsS "$url" | grep -q '<title>' || { kill $process; fail "$2 serves no page: $(cat "$work/said")"; }
  kill $process
  wait $process 2>/dev/null || true
}

for arch in amd64 arm64; do
  program=crashglass-linux-$arch emulator=
  case $arch-$(uname -m) in
    amd64-x86_64 | arm64-aarch64) ;;
    arm64-*) emulator=$(command -v qemu-aarch64-static || true); [ -n "$emulator" ] || { echo "$program: not started, qemu-aarch64-static is missing"; continue; } ;;
    *) echo "$program: not started on $(uname -m)"; continue ;;
  esac
  root=$work/$arch
  mkdir "$root"
  cp "$release/$program" "$root/crashglass"
  [ -z "$emulator" ] || cp "$emulator" "$root/emulator"
  everything in_root "$root" ${emulator:+/emulator} /crashglass
  serves "$root" ${emulator:+/emulator} /crashglass
  echo "$program: starts in an empty root"
done

if command -v wine >/dev/null; then
  export WINEPREFIX=$work/wine WINEDEBUG=-all
  everything wine "$release/crashglass-windows-amd64.exe"
  wineserver -k 2>/dev/null || true
  echo "crashglass-windows-amd64.exe: starts under Wine"
else
  echo "crashglass-windows-amd64.exe: not started, wine is missing"
fi
