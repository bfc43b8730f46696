#!/bin/sh
# Makes the files beside it: of clang, lld and llvm-ar 19.
set -e
cd "$(dirname "$0")"
clang="clang-19 -target x86_64-apple-macos11 -g -O1 -fdebug-prefix-map=$PWD=/src"
for name in f main dropped library; do
	$clang -c $name.c -o $name.o
done
# Another build of f.o: its function is longer than the one in the program.
$clang -DLONGER -c f.c -o other.o
rm -f liblibrary.a
llvm-ar-19 rcsD liblibrary.a library.o
ZERO_AR_DATE=1 ld64.lld-19 -arch x86_64 -platform_version macos 11.0 11.0 -oso_prefix "$PWD/" -dead_strip -undefined dynamic_lookup \
	-o program f.o main.o dropped.o liblibrary.a
rm library.o
