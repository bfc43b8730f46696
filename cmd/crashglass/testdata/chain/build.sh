#!/bin/sh
# Builds chain64.exe and chain64.pdb with clang and lld 14, without an SDK, runs
# the program in Wine 8, and keeps of its dump what a walk needs. chain64.txt is
# what the program prints: its base and, from the innermost call out, where each
# of its calls returns to.
set -e
cd "$(dirname "$0")"
here=$(pwd)
work=${TMPDIR:-/tmp}/chain
mkdir -p "$work"
cp chain.cpp "$work"
cd "$work"
cat >kernel32.def <<'END'
LIBRARY kernel32.dll
EXPORTS
CreateFileA
WriteFile
GetStdHandle
GetCurrentProcess
GetCurrentProcessId
GetCurrentThreadId
SetUnhandledExceptionFilter
GetModuleHandleA
ExitProcess
END
printf 'LIBRARY dbghelp.dll\nEXPORTS\nMiniDumpWriteDump\n' >dbghelp.def
for lib in kernel32 dbghelp; do
	llvm-dlltool -m i386:x86-64 -d $lib.def -l $lib.lib
done
clang++ --target=x86_64-pc-windows-msvc -g -gcodeview -O1 -fno-exceptions -fno-rtti -mno-stack-arg-probe \
	-fno-optimize-sibling-calls -fdebug-compilation-dir=. '-DDUMP="chain64.dmp"' -c chain.cpp -o chain64.obj
lld-link /nodefaultlib /entry:Start /subsystem:console /Brepro /debug /pdbaltpath:chain64.pdb \
	/out:chain64.exe chain64.obj kernel32.lib dbghelp.lib
WINEDEBUG=-all wine chain64.exe | tr -d '\r' >"$here/chain64.txt"
(cd "$here/../.." && go run . sanitize -keep-memory -symbols "$work/chain64.exe" -o "$here/chain64.dmp" "$work/chain64.dmp")
cp chain64.exe "$here"
gzip -9nc chain64.pdb >"$here/chain64.pdb.gz"
