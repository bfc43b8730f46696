package bomb

import (
	"encoding/binary"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/kerneldump"
)

// kernels are dumps of the kernel whose drivers share one long name, and whose blocks of memory share one page.
func kernels(t testing.TB) []Bomb {
	const drivers, blocks = 4000, 60000
	l := &cpu.ContextAMD64
	stack := kerneldump.Range{Base: kerneldump.High(l.Arch, 0x5000), Data: make([]byte, 4096)}
	d := kerneldump.Dump{Layout: l, Type: 4, Code: 0x9f, Regs: kerneldump.At(l.Arch, kerneldump.High(l.Arch, 0x1_0000), stack.Base)}
	d.Body = kerneldump.Triage(t, l.Arch, []kerneldump.Driver{{Name: strings.Repeat("n", 1000), Base: kerneldump.High(l.Arch, 0x1_0000), Size: 0x1000}}, nil, stack, stack)
	file := d.Build()
	le := binary.LittleEndian
	at := func(field int) uint32 { return le.Uint32(file[0x2000+field:]) }
	list, block := at(0x30), at(0x78)
	entry, record := file[list:list+0x90], file[block:block+16]
	le.PutUint32(file[0x2030:], uint32(len(file)))
	le.PutUint32(file[0x2034:], drivers)
	for i := range drivers {
		next := append([]byte(nil), entry...)
		le.PutUint64(next[0x38:], kerneldump.High(l.Arch, uint64(0x1_0000+i*0x1000)))
		file = append(file, next...)
	}
	le.PutUint32(file[0x2078:], uint32(len(file)))
	le.PutUint32(file[0x207c:], blocks)
	for i := range blocks {
		next := append([]byte(nil), record...)
		le.PutUint64(next, stack.Base+uint64(i))
		file = append(file, next...)
	}
	return []Bomb{{Name: "kernel: drivers with one name, blocks with one page", Dump: file}}
}
