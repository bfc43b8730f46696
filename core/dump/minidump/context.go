package minidump

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

const maxContext = 4096

// A Context is the registers of one thread at one time.
type Context struct {
	Arch  *cpu.Arch
	Regs  cpu.Regs
	Flags uint32   // as in the file: the CPU, and the groups of registers that were filled in
	Notes []string // defects, one sentence each

	Removed, Texts cpu.Set // as in [process.Registers]

	layout *cpu.Layout
	data   []byte // nil where they are read again
	from   *File
	at     Location
}

// A context of a file reads them again: a dump may have tens of thousands of threads, and most need only the registers of the walk.
func (c *Context) bytes() []byte {
	if c.from == nil {
		return c.data
	}
	data, _ := c.from.src.ReadUpTo("context", offset(c.at.RVA), c.at.Size) // its defects are in Notes
	return data
}

// Context reads the context at a location. It needs the system info to distinguish some CPUs; for
// most CPUs nil suffices.
func (f *File) Context(loc Location, sys *SystemInfo) (Context, error) {
	if loc.Size == 0 {
		return Context{}, &Damage{First: &bin.Error{What: "context", Off: offset(loc.RVA), Why: "is empty"}}
	}
	// The longest structure has 1232 bytes. Extended state may follow; see contextextended.go.
	loc.Size = min(loc.Size, maxContext)
	s := f.sectionAt("context", loc)
	s.Record("context", "registers")
	data := s.Bytes(s.Len())
	if len(data) == 0 {
		return Context{}, s.err()
	}
	ctx, err := DecodeContext(data, f.order, sys)
	if err != nil {
		s.damagef(s.at, "%v", err)
		return Context{}, s.err()
	}
	if s.damage.first != nil {
		ctx.Notes = append(ctx.Notes, s.damage.first.Error())
	}
	ctx.data, ctx.from, ctx.at = nil, f, loc
	ctx.forget(f.removed)
	return ctx, nil
}

// forget removes the registers in parts of the file that were removed.
func (c *Context) forget(removed process.Removed) {
	for _, slot := range c.layout.Slots {
		if !removed.Has(c.at.RVA+uint64(slot.At), uint64(slot.Width)) {
			continue
		}
		c.Removed |= cpu.SetOf(slot.Reg)
		if v, ok := c.Regs.Get(slot.Reg); ok && v == process.Asterisks&c.Arch.Mask() {
			c.Texts |= cpu.SetOf(slot.Reg)
		}
		c.Regs.Forget(slot.Reg)
	}
}

// DecodeContext reads a context. Its flags determine the CPU. The system info decides if the flags
// are ambiguous or zero. The groups of registers in the flags are ignored: no reader uses them, and
// writers get them wrong.
func DecodeContext(data []byte, order binary.ByteOrder, sys *SystemInfo) (Context, error) {
	var want *cpu.Layout
	if sys != nil {
		want = layouts[sys.Processor]
	}
	l, note := chooseLayout(data, order, want)
	if l == nil {
		return Context{}, unknownContext(data, order, want)
	}
	flags, _ := l.ReadFlags(data, order)
	ctx := Context{Arch: l.Arch, Regs: l.Decode(data, order), Flags: flags, layout: l, data: data}
	if note != "" {
		ctx.Notes = append(ctx.Notes, note)
	}
	if len(data) < l.Size {
		// LLDB writes amd64 contexts without vector registers, 720 bytes.
		ctx.Notes = append(ctx.Notes, fmt.Sprintf("the context has %d bytes instead of the %d of %s; %d of its %d registers are there",
			len(data), l.Size, l.Name, count(ctx.Regs), len(l.Slots)))
	}
	return ctx, nil
}

// chooseLayout finds the layout of a context, and gives a reason if it is not the expected one.
func chooseLayout(data []byte, order binary.ByteOrder, want *cpu.Layout) (*cpu.Layout, string) {
	if want != nil && named(want, data, order, exact) {
		return want, ""
	}
	// Windows sets bits above the CPU's (CONTEXT_EXCEPTION_REQUEST and its neighbours) that
	// Breakpad uses for other CPUs. So the expected CPU is tried first, if the context is long
	// enough.
	if want != nil && len(data) >= want.Size && named(want, data, order, atLeast) {
		return want, ""
	}
	for _, l := range cpu.Layouts() {
		if !named(l, data, order, exact) {
			continue
		}
		if want != nil && want.Arch != l.Arch {
			return l, fmt.Sprintf("the context is one of %s, the system info says %s", l.Arch.Name, want.Arch.Name)
		}
		return l, ""
	}
	if want != nil && (named(want, data, order, atLeast) || named(want, data, order, silent)) {
		return want, ""
	}
	return nil, ""
}

// exact, atLeast and silent compare the flags of a context with a layout's.
func exact(have, want uint32) bool   { return have&cpu.FlagsMask == want }
func atLeast(have, want uint32) bool { return have&want == want }
func silent(have, want uint32) bool  { return have&cpu.FlagsMask == 0 }

func named(l *cpu.Layout, data []byte, order binary.ByteOrder, match func(have, want uint32) bool) bool {
	flags, ok := l.ReadFlags(data, order)
	return ok && match(flags, l.Flags)
}

func unknownContext(data []byte, order binary.ByteOrder, want *cpu.Layout) error {
	l := want
	if l == nil {
		l = &cpu.ContextX86 // flags first, as in all but one
	}
	flags, ok := l.ReadFlags(data, order)
	if !ok {
		return fmt.Errorf("%d bytes are too few to have flags", len(data))
	}
	if want == nil {
		return fmt.Errorf("flags %#x name no known CPU", flags)
	}
	return fmt.Errorf("flags %#x name neither %s (%#x) nor another CPU", flags, want.Arch.Name, want.Flags)
}

func count(r cpu.Regs) int {
	n := 0
	for range r.All() {
		n++
	}
	return n
}

// Scrubbed returns the context with only its flags and the registers that stack walks use, and the
// parts that it has no data in. Every other byte is zero: vectors, debug registers, padding, and
// unknown fields. Of the extended state, which follows the structure, only the shadow stack pointer is left.
//
// scrub, if any, may change the bytes of a register, and reports whether it did.
func (c *Context) Scrubbed(scrub func(r cpu.Reg, v uint64, bytes []byte) bool) (data []byte, removed []Location) {
	if c.layout == nil {
		return nil, nil
	}
	whole := c.bytes()
	data = make([]byte, min(len(whole), c.layout.Size))
	kept := make([]bool, len(data))
	keep := func(at, width int, stays bool) {
		for i := at; i < min(at+width, len(data)); i++ {
			kept[i] = stays
		}
	}
	copyPart := func(at, width int) {
		if at+width <= len(data) {
			copy(data[at:at+width], whole[at:])
		}
	}
	copyPart(c.layout.FlagsAt, c.layout.FlagsWidth)
	keep(c.layout.FlagsAt, c.layout.FlagsWidth, true)
	for _, s := range c.layout.Slots {
		copyPart(s.At, s.Width)
		v, ok := c.Regs.Get(s.Reg)
		keep(s.At, s.Width, ok && (scrub == nil || !scrub(s.Reg, v, data[s.At:s.At+s.Width])))
	}
	return WithExtended(c.layout, data, nil, c.shadow()), process.Lost(kept, 0)
}
