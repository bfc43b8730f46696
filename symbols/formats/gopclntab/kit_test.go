package gopclntab

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/gotable"
)

const base, textAt = 0x400000, gotable.TextAt

// A program is the image around a table.
type program struct{ gotable.Program }

func (p program) Initial(addr uint64, out []byte) int {
	if addr-gotable.TreeAt < uint64(len(p.Tree)) {
		return copy(out, p.Tree[addr-gotable.TreeAt:])
	}
	return 0
}

func (p program) Pointers(add func(at, value uint64) bool) {
	for at, value := range p.Program.Pointers {
		if !add(at, value) {
			return
		}
	}
}

func made(t testing.TB, magic uint32, text uint64) ([]byte, program) {
	p := gotable.Build(t, magic, text)
	return p.Table, program{p}
}

func open(t testing.TB, data []byte, p program, arch string) *Table {
	t.Helper()
	table, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{Arch: arch, Addr: gotable.TableAt, Base: base, Image: p})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
