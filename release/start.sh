#!/usr/bin/env bash
# start.sh RELEASE VERSION: starts the programs of a release where nothing else is: those for Linux in an empty root that cannot
# be written to, the container, and that for Windows under Wine. What this machine cannot start is named.
set -euo pipefail
release=$(cd "$1" && pwd) version=$2
here=$(cd "$(dirname "$0")" && pwd)
dump=$here/../web/example/crash.dmp
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

# in_root FOLDER COMMAND...: with that folder as the root, read-only and without another mount. It is called in a subshell, by $(…)
# or by &, and replaces it: otherwise `kill $!` would end the subshell and leave the program.
in_root() {
  local root=$1
  shift
  exec unshare --mount -- sh -c 'root=$1; shift; mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" && exec chroot "$root" "$@"' sh "$root" "$@"
}

serves() { # ROOT COMMAND...
  local url
  rm -f "$work/url" # an earlier program's
  in_root "$@" serve --addr 127.0.0.1:0 >"$work/url" 2>"$work/said" &
  local process=$!
  for _ in $(seq 100); do [ -s "$work/url" ] && break; sleep 0.1; done
  url=$(cat "$work/url")
  curl -fsS "$url" | grep -q '<title>' || { kill $process 2>/dev/null || true; fail "$2 serves no page: $(cat "$work/said")"; }
  kill $process
  wait $process 2>/dev/null || true
}

# The container is an empty root with the program in it, too. It is built, and the program started in what was built.
container() {
  local buildah image root
  command -v buildah >/dev/null || { echo "Containerfile: not built, buildah is missing"; return; }
  buildah=(buildah --storage-driver vfs --root "$work/images" --runroot "$work/run")
  "${buildah[@]}" build --quiet --isolation chroot --build-arg "PROGRAM=crashglass-linux-$1" -t crashglass "$release" >"$work/said" 2>&1 ||
    fail "Containerfile: $(cat "$work/said")"
  image=$("${buildah[@]}" from crashglass)
  root=$("${buildah[@]}" mount "$image")
  everything in_root "$root" /crashglass
  serves "$root" /crashglass
  "${buildah[@]}" umount "$image" >/dev/null
  echo "Containerfile: builds, and starts with a read-only file system"
}

# A Wine without bcryptprimitives.dll gets one. Without it nothing that Go compiles starts there.
complete_wine() {
  local system=$WINEPREFIX/drive_c/windows/system32
  wineboot -i >"$work/said" 2>&1 || fail "wine: $(cat "$work/said")"
  [ ! -f "$system/bcryptprimitives.dll" ] || return 0
  command -v clang >/dev/null && command -v lld-link >/dev/null || return 1
  clang --target=x86_64-pc-windows-msvc -c -o "$work/random.obj" "$here/wine-random.S"
  lld-link /nologo /dll /noentry /nodefaultlib /machine:x64 /export:ProcessPrng "/out:$system/bcryptprimitives.dll" "$work/random.obj"
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
  tar -xzf "$release/$program.tar.gz" -C "$work"
  cp "$work/$program/crashglass" "$root/crashglass"
  [ -z "$emulator" ] || cp "$emulator" "$root/emulator"
  everything in_root "$root" ${emulator:+/emulator} /crashglass
  serves "$root" ${emulator:+/emulator} /crashglass
  echo "$program: starts in an empty root"
done

case $(uname -m) in
  x86_64) container amd64 ;;
  aarch64) container arm64 ;;
esac

program=crashglass-windows-amd64
export WINEPREFIX=$work/wine WINEDEBUG=-all
if ! command -v wine >/dev/null; then
  echo "$program: not started, wine is missing"
elif ! complete_wine; then
  echo "$program: not started, Wine has no bcryptprimitives.dll, and clang and lld-link, which make one, are missing"
else
  unzip -q "$release/$program.zip" -d "$work"
  everything wine "$work/$program/crashglass.exe"
  wineserver -k 2>/dev/null || true
  echo "$program: starts under Wine"
fi
echo "crashglass-windows-arm64, crashglass-darwin-*: not started, nothing here runs them"
