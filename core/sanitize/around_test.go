package sanitize

import (
	"bytes"
	"fmt"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// The code around a caller stays, or comes from its file where the dump lacks it, as far as the page lists it.
func TestCodeAroundCallers(t *testing.T) {
	const lib, caller = 0x50_0000, 0x50_0800
	code, nops := bytes.Repeat([]byte{0x90}, 0x1000), libraryOf(bytes.Repeat([]byte{0x90}, 1<<16))
	copy(code[0x7fb:], "\xe8\x00\x00\x00\x00")
	for _, tt := range []struct {
		what       string
		from       int // of the captured code
		protection string
		file       string
		syms       analyze.Symbols
		said       string
		want       [2]uint64
	}{
		{"code of a library", 0, "r-xp", "/lib/x.so", nil, "", [2]uint64{caller - listedBefore, caller + listedBehind}},
		{"captured behind the call", 0x7f0, "r-xp", "/lib/x.so", nil, "", [2]uint64{caller - 0x10, caller + listedBehind}},
		{"code in the library's file", 0x1000, "r-xp", "/lib/x.so", nops, "", [2]uint64{caller - listedBefore, caller + listedBehind}},
		{"captured code behind that of the file", 0x850, "r-xp", "/lib/x.so", nops, "", [2]uint64{caller - listedBefore, caller + 0x50}},
		{"code in a file of memory", 0, "r-xp", "/memfd:x", nil, "code around frames that is in no file of a disk", [2]uint64{}},
		{"data", 0, "rw-p", "/lib/x.so", nil, "", [2]uint64{}},
	} {
		frames := stack(nil, nil)
		ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100})
		b := dump.New().System(dump.AMD64, dump.Linux, "")
		b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: frames, Context: ctx})
		b.Module(dump.Module{Base: lib, Size: 0x1000, Name: tt.file, CodeView: dump.BuildID(1)})
		b.Stream(0x47670009, asm.At(0).Text(fmt.Sprintf("500000-501000 %s 0 00:00 0 %s\n501000-502000 r-xp 0 00:00 0 /lib/x.so\n", tt.protection, tt.file)))
		if tt.from < len(code) {
			b.Memory(lib+uint64(tt.from), code[tt.from:])
		}
		s := open(t, b.Build(t))
		c := &cleaner{s: s, library: s.Code(tt.syms), f: streams(t, s), need: newNeeds(s), out: &Result{}}
		at := report.Addr(caller, 8)
		c.need.findListed([]report.Frame{{Offset: report.Addr(appBase, 8)}, {Offset: report.Addr(caller-1, 8), ReturnAddress: &at}})
		if err := c.write(); err != nil {
			t.Fatal(err)
		}
		m, _ := streams(t, open(t, c.out.Data)).Memory()
		base, size, _ := m.Range(caller)
		if got := [2]uint64{base, base + size}; got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.what, got, tt.want)
		}
		said := ""
		for _, r := range c.out.Removed {
			if r.What == "code around frames that is in no file of a disk" {
				said = r.What
			}
		}
		if said != tt.said {
			t.Errorf("%s: removed %+v", tt.what, c.out.Removed)
		}
	}
}
