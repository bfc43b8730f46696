package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// nameTableOf opens a string table: magic, version of the hash, size, strings.
func nameTableOf(t *testing.T, text string) *nameTable {
	t.Helper()
	n, err := openNames(streamOf(t, "/names", asm.At(0).U32(namesMagic, 1, uint32(len(text))).Text(text)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNames reads strings by their offsets; an offset inside of a string is its rest.
//
// Spec: https://llvm.org/docs/PDB/PdbStream.html#pdb-stream-contents-names
func TestNames(t *testing.T) {
	n := nameTableOf(t, "\x00a.cpp\x00dir/b.h\x00")
	for range 2 { // the second time from memory
		for off, want := range map[uint32]string{0: "", 1: "a.cpp", 3: "cpp", 6: "", 7: "dir/b.h", 14: ""} {
			if got, err := n.at(off); got != want || err != nil {
				t.Errorf("at %d: %q, %v, want %q", off, got, err, want)
			}
		}
	}
	for _, off := range []uint32{15, 1 << 20, 0xffffffff} {
		if _, err := n.at(off); !strings.Contains(errorText(err), "lies beyond the strings, which have 15 bytes") {
			t.Errorf("at %d: %v", off, err)
		}
	}
	if got, err := (*nameTable)(nil).at(5); got != "" || err != nil {
		t.Errorf("without a table: %q, %v", got, err)
	}
	if g := (*nameTable)(nil).fork(); g != nil {
		t.Errorf("the fork of no table is %+v", g)
	}
	if got, err := n.fork().at(7); got != "dir/b.h" || err != nil {
		t.Errorf("of a fork: %q, %v", got, err)
	}
}

// TestNamesHead has tables whose head is damaged.
func TestNamesHead(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   *asm.Section
		want string
	}{
		{"cut in the head", asm.At(0).U32(namesMagic, 1), "/names at 0x0: 12 bytes reach beyond the end of the file at 0x8"},
		{"another magic", asm.At(0).U32(0xeffeefff, 1, 4, 0), "/names at 0x0: begins with 0xeffeefff and 4 bytes of strings, want 0xeffeeffe and at most 4"},
		{"one byte too many", asm.At(0).U32(namesMagic, 1, 5, 0), "/names at 0x0: begins with 0xeffeeffe and 5 bytes of strings, want 0xeffeeffe and at most 4"},
		{"all of it", asm.At(0).U32(namesMagic, 1, 4, 0), ""},
		{"no strings", asm.At(0).U32(namesMagic, 2, 0), ""},
	} {
		if _, err := openNames(streamOf(t, "/names", tt.in)); errorText(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestLongNames has the longest name that is read, and one that goes on beyond it.
func TestLongNames(t *testing.T) {
	longest := strings.Repeat("d/", maxText/2-1) + "d"
	n := nameTableOf(t, longest+"\x00"+longest+"ee\x00")
	if got, err := n.at(0); got != longest || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	want := "/names at 0x1000c: a string without an end within 65536 bytes"
	if got, err := n.at(maxText); got != "" || errorText(err) != want {
		t.Errorf("%d bytes, %v, want %s", len(got), err, want)
	}
	for _, text := range []string{"x", strings.Repeat("y", 127), strings.Repeat("y", 128), strings.Repeat("y", 511), strings.Repeat("y", 512)} {
		if got, err := nameTableOf(t, text+"\x00tail\x00").at(0); got != text || err != nil {
			t.Errorf("%d bytes, want %d, %v", len(got), len(text), err)
		}
	}
	if _, err := nameTableOf(t, "no end").at(0); errorText(err) != "/names at 0xc: a string without an end within 6 bytes" {
		t.Errorf("%v", err)
	}
}

// TestNamesWithoutAnEnd has thousands of source files whose names begin within one text that
// has no end: what looking for it costs is bounded, too.
func TestNamesWithoutAnEnd(t *testing.T) {
	n := nameTableOf(t, strings.Repeat("d/", 50_000))
	for off := range uint32(2 * namesWork / maxText) {
		if n.at(off); n.work.Exceeded() {
			if _, err := n.at(off + 1); !strings.HasSuffix(errorText(err), "names that lie in each other have too many bytes together") {
				t.Errorf("%v", err)
			}
			return
		}
	}
	t.Error("nothing stops it")
}

// TestNamesOfACutFile asks for thousands of names behind the end of a file that is cut short: they
// cost next to nothing, and the names before the end are still there.
func TestNamesOfACutFile(t *testing.T) {
	n := nameTableOf(t, "a.cpp\x00"+strings.Repeat("lost.cpp\x00", 40_000))
	n.s.m.blocks = 8 // of 512 bytes
	for i := range uint32(5000) {
		if got, err := n.at(0x2000 + i); err == nil {
			t.Fatalf("at %#x: %q", 0x2000+i, got)
		}
	}
	if got, err := n.at(0); got != "a.cpp" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
