package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/report"
)

// Addresses of a libc and of a message in a test.
const (
	messageAt  = 0x7e00_0000_0000
	pointerAt  = libBase + 0x8000
	symbolsAt  = libBase + 0x400
	stringsAt  = libBase + 0x500
	hashAt     = libBase + 0x600
	sectionAt  = libBase + 0x300
	assertText = "app: src/work.c:17: work: Assertion `n <= limit' failed.\n"
)

// half writes numbers of four bytes.
func (s *scene) half(addr uint64, values ...uint32) *scene {
	for n, v := range values {
		for i := range 4 {
			s.bytes[addr+uint64(4*n+i)] = byte(v >> (8 * i))
		}
	}
	return s
}

// aborted is a program that called abort; block is in a mapping of its own.
func aborted(t *testing.T, block ...any) *scene {
	s := crashAt(t, "").raise("linux", sigABRT, siTkill).stack("!raise", "!abort", "work")
	s.Regions = append([]process.Region{{Start: messageAt, Last: messageAt + 0xfff, Access: "rw-"}}, s.Regions...)
	at := uint64(messageAt)
	for _, part := range block {
		switch part := part.(type) {
		case uint32:
			s.half(at, part)
			at += 4
		case uint64:
			s.put(at, part)
			at += 8
		case string:
			s.text(at, part)
		}
	}
	return s
}

// exports gives libc an ELF header, a dynamic section and a hash table with two symbols, of which the second is at value.
func (s *scene) exports(name string, value uint64) *scene {
	s.half(libBase, elfMagic).put(libBase+32, 0x40)
	s.half(libBase+54, 56|2<<16) // two program headers of 56 bytes
	s.half(libBase+0x40, elfLoad, 4).put(libBase+0x50, 0)
	s.half(libBase+0x78, elfDynamic, 4).put(libBase+0x88, sectionAt-libBase)
	for i, v := range []uint64{dynStrings, stringsAt, dynSymbols, symbolsAt, dynHash, hashAt - libBase, 0, 0} { // the last is not relocated
		s.put(sectionAt+8*uint64(i), v)
	}
	s.text(stringsAt, "").text(stringsAt+1, "other").text(stringsAt+0x20, name)
	s.half(hashAt, 1, 1, 1, 6).put(hashAt+16, 0) // a bucket, the first symbol, a word of the filter
	s.half(hashAt+24, 1, gnuHash("other")&^1, gnuHash(name)|1)
	s.half(symbolsAt+24, 1).put(symbolsAt+32, 0x10)
	return s.half(symbolsAt+48, 0x20).put(symbolsAt+56, value-libBase)
}

// The message of glibc is found by its symbol, or is probable by its shape; that of bionic is known by its numbers.
func TestAbortMessages(t *testing.T) {
	const assert, message, probably = "app: src/work.c:17: work: Assertion `n <= limit' failed.", "The message is: ", "The message is probably: "
	page := uint32(nullPage)
	bySymbol := func() *scene {
		return aborted(t, page, assertText).exports("__abort_msg", pointerAt).put(pointerAt, messageAt)
	}
	narrow := func(s *scene) *scene {
		s.Regions[0].Last = messageAt + 0x7ff
		return s
	}
	tests := []struct {
		name, text, want string
		s                *scene
	}{
		{"by the symbol", "Assertion failed", message + assert, bySymbol()},
		{"by the shape", "Assertion failed", probably + assert, aborted(t, page, assertText)},
		{"no message was stored", "abort() called", "", bySymbol().put(pointerAt, 0)},
		{"the variable is not captured", "Assertion failed", probably + assert, aborted(t, page, assertText).exports("__abort_msg", pointerAt)},
		{"no such symbol", "Assertion failed", probably + assert, aborted(t, page, assertText).exports("__abort_m", pointerAt).put(pointerAt, messageAt)},
		{"double free", "Double free", probably + "free(): double free detected in tcache 2.", aborted(t, page, "free(): double free detected in tcache 2\n")},
		{"invalid pointer", "Invalid pointer freed", probably + "free(): invalid pointer.", aborted(t, page, "free(): invalid pointer\n")},
		{"two causes", "Double free, or heap corruption", probably + "double free or corruption (top).", aborted(t, page, "double free or corruption (top)\n")},
		{"corruption", "Heap corruption", probably + "corrupted size vs. prev_size.", aborted(t, page, "corrupted size vs. prev_size\n")},
		{"smashed", "Stack buffer overrun", probably + "*** stack smashing detected ***: terminated.", aborted(t, page, "*** stack smashing detected ***: terminated\n")},
		{"fortify", "Buffer overrun", probably + "*** buffer overflow detected ***: terminated.", aborted(t, page, "*** buffer overflow detected ***: terminated\n")},
		{"another message", "The C library ended the program", probably + "FATAL: exception not rethrown.", aborted(t, page, "FATAL: exception not rethrown\n")},
		{"bionic", "Buffer overrun", message + "FORTIFY: strcpy: prevented 9-byte write.",
			aborted(t, bionicMagic[0], bionicMagic[1], uint64(80), "FORTIFY: strcpy: prevented 9-byte write")},
		{"not bionic", "abort() called", "", aborted(t, bionicMagic[0], bionicMagic[0], uint64(80), "FORTIFY: strcpy: prevented 9-byte write")},
		{"a size that is no number of pages", "abort() called", "", aborted(t, page+8, assertText)},
		{"no size", "abort() called", "", aborted(t, uint32(0), assertText)},
		{"a size beyond the mapping", "abort() called", "", aborted(t, 2*page, assertText)},
		{"a size beyond a short mapping", "abort() called", "", narrow(aborted(t, page, assertText))},
		{"no text", "abort() called", "", aborted(t, page, "\x01\x02")},
		{"a signal from outside", "SIGABRT was sent by process 7; this thread was running", "", aborted(t, page, assertText).raise("linux", sigABRT, siUser).with(func(in *Input) {
			in.PID, in.Exception.Address, in.KernelSignal = 9, 7, true
			in.Frames = in.Frames[2:]
		})},
		{"no memory", "abort() called", "", aborted(t, page, assertText).with(func(in *Input) { in.Memory = nil })},
		{"no CPU", "abort() called", "", aborted(t, page, assertText).with(func(in *Input) { in.Arch = nil })},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		if f.Text != tt.text || !strings.HasPrefix(f.Evidence[0], tt.want) || tt.want == "" && strings.Contains(f.Evidence[0], "message") {
			t.Errorf("%s: %s: %q, want %s: %q", tt.name, f.Text, f.Evidence, tt.text, tt.want)
		}
	}
	if e := strings.Join(Analyze(bySymbol().Input).Findings[0].Evidence, " "); !strings.Contains(e, "behind `__abort_msg` of libc.so.6, at 0x7f0000008000") {
		t.Errorf("evidence: %s", e)
	}
}

// Symbols are found by the hash table, whatever is missing or wrong in it.
func TestExported(t *testing.T) {
	const name = "__abort_msg"
	whole := func() *scene { return aborted(t).exports(name, pointerAt) }
	tests := []struct {
		name string
		want uint64
		s    *scene
	}{
		{"found", pointerAt, whole()},
		{"no ELF header", 0, whole().half(libBase, 0)},
		{"no dynamic section", 0, whole().half(libBase+0x78, 7)},
		{"an empty one", 0, whole().put(sectionAt, 0)},
		{"no buckets", 0, whole().half(hashAt, 0)},
		{"an empty bucket", 0, whole().half(hashAt+24, 0)},
		{"the chain ends before it", 0, whole().half(hashAt+28, gnuHash("other")|1)},
		{"another name with its hash", 0, whole().text(stringsAt+0x20, "__abort_msx")},
		{"undefined", 0, whole().put(symbolsAt+56, 0)},
		{"the string is not captured", 0, whole().half(symbolsAt+48, 0x4000)},
	}
	for _, tt := range tests {
		s := &facts{in: tt.s.Input, Analysis: &Analysis{}, regs: tt.s.Regs}
		if got, ok := s.exported(s.in.Modules.At(libBase), name); got != tt.want && ok || ok != (tt.want != 0) {
			t.Errorf("%s: %#x, %t", tt.name, got, ok)
		}
	}
	x86 := whole().of(&cpu.X86)
	s := &facts{in: x86.Input, Analysis: &Analysis{}, regs: x86.Regs}
	if got, ok := s.exported(s.in.Modules.At(libBase), name); ok {
		t.Errorf("a header of 32 bits: %#x", got)
	}
}

// Frames of standard libraries that are compiled into programs are not the program's own.
func TestLibrariesInPrograms(t *testing.T) {
	for _, tt := range []struct {
		function, file string
		library        bool
	}{
		{function: "<usize as core::slice::index::SliceIndex<[T]>>::index", file: "", library: true},
		{function: "<[T] as core::ops::index::Index<I>>::index", file: "", library: true},
		{function: "<&mut I as core::iter::traits::iterator::Iterator>::next", file: "", library: true},
		{function: "<alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index", file: "", library: true},
		{function: "<app::Guard as core::ops::drop::Drop>::drop", file: ""},
		{function: "<&app::Guard as core::fmt::Debug>::fmt", file: ""},
		{function: "<u32 as app::Weigh>::weigh", file: ""},
		{function: "app::Guard::drop", file: "src/main.rs"},
		{function: "index", file: "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/index.rs", library: true},
		{function: "memcpy", file: "/usr/include/x86_64-linux-gnu/bits/string_fortified.h", library: true},
		{function: "memcpy", file: "/usr/lib/gcc/x86_64-linux-gnu/12/include/xmmintrin.h", library: true},
		{function: "memcpy", file: "/usr/lib/llvm-14/lib/clang/14.0.6/include/xmmintrin.h", library: true},
		{function: "__pformat_puts", file: "/build/mingw-w64-crt/stdio/mingw_pformat.c", library: true},
		{function: "memcpy", file: "/home/me/memory.c"},
		{function: "sync.(*WaitGroup).Add", file: "/usr/local/go/src/sync/waitgroup.go", library: true},
		{function: "internal/sync.(*Mutex).Unlock", file: "mutex.go", library: true},
		{function: "encoding/json.Marshal", file: "encode.go", library: true},
		{function: "internal/runtime/syscall/linux.Syscall6", file: "asm_linux_amd64.s", library: true},
		{function: "indexbytebody", file: "/usr/local/go/src/internal/bytealg/indexbyte_amd64.s", library: true},
		{function: "main.run.OnceFunc.3", file: "/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64/src/sync/oncefunc.go", library: true},
		{function: "main._Cfunc_GoString", file: "_cgo_gotypes.go", library: true},
		{function: "main.run", file: "/home/me/src/sync/main.go"},
		{function: "main.run", file: "/home/me/go/src/example.com/main.go"},
		{function: "spin", file: "/home/me/app/spin.s"},
		{function: "sync.isra.0", file: "sync.c"},
		{function: "main.sync", file: "main.go"},
		{function: "synced.Run", file: "run.go"},
		{function: "example.com/sync.Run", file: "run.go"},
	} {
		row := rows([]spot{{Module: "app", Function: tt.function, File: tt.file, Line: 3}})[0]
		if tt.function == "memcpy" {
			if isLibrary(&row) {
				t.Errorf("%s in %s, which is not known to be inlined, is of a library", tt.function, tt.file)
			}
			row.Inline = &report.Inline{Function: &tt.function, File: &tt.file}
		}
		if got := isLibrary(&row); got != tt.library {
			t.Errorf("%s of %s: %t", tt.function, tt.file, got)
		}
	}
}
