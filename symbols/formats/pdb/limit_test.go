package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestLimit has PDBs that are whole, and still say nothing of native code.
func TestLimit(t *testing.T) {
	native := x86(t)
	fastlink := x86(t)
	fastlink.features = []uint32{featureMini}
	fastlink.modules = nil
	managed := x86(t)
	managed.sections, managed.publics = nil, nil
	managed.modules = []object{{"Program", symbolRecords().Bytes(rec(t, symManaged, asm.At(0).U32(0, 0, 0, 0x20, 0, 0, 0x0600_0001, 0).U16(0).U8(0).Text("Main\x00"))), asm.At(0), nil}}
	for _, tt := range []struct {
		name string
		p    *program
		want string
	}{
		{"native", native, ""},
		{"/DEBUG:FASTLINK", fastlink, "was linked with /DEBUG:FASTLINK: "},
		{"managed", managed, "describes .NET code, "},
	} {
		got := openBytes(t, tt.p.build(t)).Limit()
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
