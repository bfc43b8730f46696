#!/bin/sh
# Builds deep.c with clang and lld 14 for 32-bit Windows, at -O0 and -O2, runs it
# with load32.c on Linux, and keeps of the dumps what a walk needs. deep-*.txt is
# what the program prints: what its variables hold.
set -e
cd "$(dirname "$0")"
here=$(pwd)
work=${TMPDIR:-/tmp}/pdbvars-fixture
mkdir -p "$work"
cp deep.c kit.h load32.c "$work"
cd "$work"
printf 'LIBRARY kernel32.dll\nEXPORTS\nExitProcess@4\n' >kernel32.def
printf 'LIBRARY msvcrt.dll\nEXPORTS\nprintf\nfflush\n' >msvcrt.def
for lib in kernel32 msvcrt; do
	llvm-dlltool -m i386 -k -d $lib.def -l $lib.lib
done
gcc -m32 -O1 -w load32.c -o load32
for level in O0 O2; do
	clang --target=i686-pc-windows-msvc -g -gcodeview -w -$level -fno-builtin -fdebug-compilation-dir=. -c deep.c -o deep.obj
	lld-link /nodefaultlib /entry:Start /subsystem:console /Brepro /debug /opt:noicf /pdbaltpath:deep.pdb \
		/out:deep.exe deep.obj kernel32.lib msvcrt.lib
	env -i ./load32 deep.exe >"$here/deep-$level.txt"
	(cd "$here/../.." && go run . sanitize -keep-memory -symbols "$work/deep.exe" -o "$here/deep-$level.dmp" "$work/x.dmp")
	cp deep.exe "$here/deep-$level.exe"
	gzip -9nc deep.pdb >"$here/deep-$level.pdb.gz"
done
