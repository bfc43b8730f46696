package pe

import (
	"encoding/binary"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/gotable"
)

const goBase = 0x40_0000

// goProgram is a stripped program of Go, linked by a linker of a major version.
func goProgram(t *testing.T, linker uint8, variables string) []byte {
	p := gotable.Build(t, gotable.Magic20, 0)
	data := asm.At(gotable.DataAt - goBase)
	for at := uint64(gotable.DataAt); at < gotable.DataAt+0x200; at += 8 {
		data.U64(p.Pointers[at])
	}
	file := newImage(machineAMD64).
		section(t, ".text", code, asm.At(gotable.TextAt-goBase).Zeros(0x80)).
		section(t, ".rdata", readOnly, asm.At(gotable.TableAt-goBase-0x40).Zeros(0x40).Bytes(p.Table)).
		section(t, ".rodata", readOnly, asm.At(gotable.TreeAt-goBase).Bytes(p.Tree)).
		section(t, ".data", writable, data.Text(variables)).
		build(t)
	const optional = 0x98
	file[optional+2] = linker
	binary.LittleEndian.PutUint64(file[optional+24:], goBase)
	return file
}

// Go's table is found among the constants of a program of Go's linker, and of one that C was linked to; not in others.
func TestGoTable(t *testing.T) {
	for _, tt := range []struct {
		name, variables string
		linker          uint8
		want            string
	}{
		{name: "Go's linker", linker: linkerGo, want: "main.f"},
		{name: "with C", linker: linkerGNU, variables: "start\xff Go buildinf:", want: "main.f"},
		{name: "of C", linker: linkerGNU},
	} {
		f := open(t, goProgram(t, tt.linker, tt.variables))
		rel := uint64(gotable.TextAt + 0x12 - goBase)
		loc, ok := f.Locate(rel)
		frame, framed := f.CallFrame(rel)
		if tt.want == "" {
			if ok || framed || f.HasRules() {
				t.Errorf("%s: %+v, %+v", tt.name, loc, frame)
			}
			continue
		}
		if !ok || loc.Function != tt.want || loc.Public || loc.Line != 12 || len(loc.Inlines) != 1 || loc.Inlines[0].Function != "main.inlined" {
			t.Errorf("%s: %+v, notes %q", tt.name, loc, f.Notes())
		}
		if fn, _ := f.Function(rel); fn.Name != tt.want || fn.Size != 0x40 {
			t.Errorf("%s: %+v", tt.name, fn)
		}
		if !framed || frame.Size != 0x40 || !f.HasRules() {
			t.Errorf("%s: %+v", tt.name, frame)
		}
	}
}
