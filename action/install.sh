#!/bin/sh
# install.sh RELEASES VERSION FOLDER: downloads the program of a release for this system to FOLDER, checks its digest, and adds its folder
# to the PATH of the job. RELEASES is the address of the releases' files, such as https://github.com/OWNER/NAME/releases/download.
set -eu
releases=$1 version=$2 folder=$3
case $RUNNER_OS in
  Linux) os=linux end=tar.gz ;;
  macOS) os=darwin end=tar.gz ;;
  Windows) os=windows end=zip ;;
  *) echo "install.sh: no program for $RUNNER_OS" >&2; exit 1 ;;
esac
case $RUNNER_ARCH in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) echo "install.sh: no program for $RUNNER_ARCH" >&2; exit 1 ;;
esac
name=crashglass-$os-$arch
mkdir -p "$folder"
cd "$folder"
curl -fsSL -o "$name.$end" "$releases/v$version/$name.$end"
curl -fsSL -o SHA256SUMS "$releases/v$version/SHA256SUMS"
grep "  $name.$end\$" SHA256SUMS >expected
if command -v sha256sum >/dev/null; then sha256sum -c expected; else shasum -a 256 -c expected; fi
case $end in
  zip) unzip -q "$name.$end" ;;
  *) tar -xzf "$name.$end" ;;
esac
# Other shells of Windows do not know the paths of this one.
echo "$(pwd -W 2>/dev/null || pwd)/$name" >>"$GITHUB_PATH"
