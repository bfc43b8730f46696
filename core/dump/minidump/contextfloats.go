package minidump

import (
	"slices"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
)

// floats are numbered registers of floating point or vectors in a context.
type floats struct {
	prefix          string
	n               int
	at, step, width int
	group           uint32 // the bit of the flags for this group
}

// floatsOf has the offsets of the floating point and vector registers that debug information names.
// The x87 registers of an FXSAVE area are in the order of the stack: st0 is its top.
//
// Sources: winnt.h, CONTEXT of each CPU; Breakpad's minidump_cpu_*.h; Intel SDM,
// volume 1, table 10-2 (FXSAVE) and figure 8-9 (FSAVE).
var floatsOf = map[*cpu.Layout][]floats{
	&cpu.ContextX86: {
		{"xmm", 8, 204 + 160, 16, 16, 0x20}, {"st", 8, 204 + 32, 16, 10, 0x20}, {"st", 8, 56, 10, 10, 0x8},
	},
	&cpu.ContextAMD64:      {{"xmm", 16, 256 + 160, 16, 16, 0x8}, {"st", 8, 256 + 32, 16, 10, 0x8}},
	&cpu.ContextARM64:      {{"v", 32, 272, 16, 16, 0x4}},
	&cpu.ContextARM64Old:   {{"v", 32, 284, 16, 16, 0x4}},
	&cpu.ContextARM:        {{"d", 32, 80, 8, 8, 0x4}, {"s", 32, 80, 4, 4, 0x4}},
	&cpu.ContextARMWindows: {{"d", 32, 80, 8, 8, 0x4}, {"s", 32, 80, 4, 4, 0x4}},
	&cpu.ContextRISCV:      {{"f", 32, 136, 4, 4, 0x4}},
	&cpu.ContextRISCV64:    {{"f", 32, 264, 8, 8, 0x4}},
}

// Float returns a floating point or vector register by its name, which may begin with "$": "xmm3",
// "v8". The context's flags must include its group, because writers leave zeros in absent groups.
//
// DWARF has one number for xmm3 and ymm3, so xmm3 includes the upper half if it is there. "ymm3"
// has both halves or is unknown.
func (c *Context) Float(name string) ([]byte, bool) {
	name = strings.TrimPrefix(name, "$")
	whole := strings.HasPrefix(name, "ymm")
	if whole {
		name = "x" + name[1:]
	}
	lower, ok := c.part(name)
	if number, vector := strings.CutPrefix(name, "xmm"); ok && vector {
		i, _ := strconv.Atoi(number)
		if upper, has := c.upper(i); has {
			return slices.Concat(lower, upper), true
		}
	}
	return lower, ok && !whole
}

// part returns a register's bytes in its group.
func (c *Context) part(name string) ([]byte, bool) {
	for _, f := range floatsOf[c.layout] {
		number, ok := strings.CutPrefix(name, f.prefix)
		i, err := strconv.ParseUint(number, 10, 8)
		if !ok || err != nil || int(i) >= f.n || c.Flags&f.group == 0 {
			continue
		}
		data, from := c.bytes(), f.at+int(i)*f.step
		if from+f.width <= len(data) && (c.from == nil || !c.from.removed.Has(c.at.RVA+uint64(from), uint64(f.width))) {
			return data[from : from+f.width], true
		}
	}
	return nil, false
}
