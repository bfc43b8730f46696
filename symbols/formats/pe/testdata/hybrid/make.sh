#!/bin/sh
# Makes arm64ec.dll, arm64x.dll and arm64ec.txt. It needs clang and llvm-readobj 19, and lld-link 20 for ARM64X.
set -e
out=$(mktemp -d)
c() { clang -O1 --target="$1" -c "$2" -o "$out/$3.obj" $4; }
c arm64ec-windows-msvc ec.c ec
c x86_64-windows-msvc x64.c x64
c aarch64-windows-msvc ec.c arm64 -Dx64part=other
c aarch64-windows-msvc x64.c other "-Dx64part=other -Dx64leaf=otherleaf"
llvm-mc -filetype=obj -triple=arm64ec-windows loadconfig.s -o "$out/config.obj"
sed s/__chpe_metadata/0/ loadconfig.s | llvm-mc -filetype=obj -triple=aarch64-windows -o "$out/configarm64.obj"
llvm-mc -filetype=obj -triple=arm64ec-windows metadata.s -o "$out/metadata.obj"
link() { (cd "$out" && lld-link -dll -entry:_DllMainCRTStartup -nodefaultlib -debug -pdbaltpath:%_PDB% "$@" ec.obj x64.obj config.obj metadata.obj); }
link -machine:arm64ec -out:arm64ec.dll
link -machine:arm64x -out:arm64x.dll arm64.obj other.obj configarm64.obj
cp "$out"/arm64*.dll .
(cd "$out" && llvm-readobj --unwind ec.obj) > arm64ec.txt
