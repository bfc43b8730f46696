#!/bin/sh
# Makes the files beside it: of gcc 12, dwz 0.15 and LLVM 19 on amd64.
set -e
cd "$(dirname "$0")"
flags="-O1 -nostdlib -static -fno-stack-protector -Wl,--build-id=sha1 -Wl,-z,noseparate-code -fdebug-prefix-map=$PWD=/src"
gcc -g $flags -o dwz.elf one.c
cp dwz.elf other.elf
dwz -m dwz.sup dwz.elf other.elf
rm other.elf
gcc -g -gsplit-dwarf -dumpbase split $flags -o split.elf one.c
llvm-dwp-19 -o split.dwp split-one.dwo

# A program that its split unit was put back into, as some linkers leave it.
cp split.elf embedded.elf
for s in $(readelf -SW split-one.dwo | grep -o '\.debug_[a-z_]*\.dwo'); do
	objcopy -O binary --only-section="$s" --set-section-flags "$s=alloc" split-one.dwo "section$s"
	objcopy --add-section "$s=section$s" embedded.elf
	rm "section$s"
done
