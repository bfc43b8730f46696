package breakpaddump

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/dump/minidump"
)

// A contextRow is one line of a context.
type contextRow struct {
	label string
	width int    // of the label
	name  string // the register, or the part as package minidump names it

	// For an element of an array: its offset in the part, and its width. An element of 16 bytes is
	// written as two numbers, the higher one first.
	at, step int
}

// context writes the registers at a location.
func (p *printer) context(loc minidump.Location, sys *minidump.SystemInfo) {
	ctx, _ := p.f.Context(loc, sys) // crashglass dump says why it is missing
	form, known := contexts[ctx.Arch]
	if !known {
		p.text("  (no context)\n\n")
		return
	}
	parts := newParts(&ctx, p.f.Order())
	p.printf("\n%s\n", form.title)
	for _, r := range form.rows {
		if value := parts.value(r); value != "" { // a truncated context does not have all rows
			p.printf("  %-*s = 0x%s\n", r.width, r.label, value)
		}
	}
	p.text(form.end)
}

// parts returns the parts of a context by name.
type parts struct {
	numbers map[string]uint64
	blobs   map[string][]byte
	order   binary.ByteOrder
}

// newParts collects the registers and the other fields of a context.
func newParts(ctx *minidump.Context, order binary.ByteOrder) *parts {
	c := &parts{map[string]uint64{}, map[string][]byte{}, order}
	for reg, v := range ctx.Regs.All() {
		c.numbers[ctx.Arch.RegName(reg)] = v
	}
	state, blobs := ctx.Rest(order)
	for _, r := range state {
		c.numbers[r.Name] = r.Value
	}
	for _, b := range blobs {
		c.blobs[b.Name] = b.Data
	}
	return c
}

// value returns a row's value in digits, or "".
func (c *parts) value(r contextRow) string {
	if v, ok := c.numbers[r.name]; ok {
		return fmt.Sprintf("%x", v)
	}
	data := c.blobs[r.name]
	switch {
	case r.step == 0:
		return fmt.Sprintf("%x", data)
	case r.at+r.step > len(data):
		return ""
	}
	switch data = data[r.at:]; r.step {
	case 4:
		return fmt.Sprintf("%x", c.order.Uint32(data))
	case 8:
		return fmt.Sprintf("%x", c.order.Uint64(data))
	}
	return fmt.Sprintf("%x%x", c.order.Uint64(data[8:]), c.order.Uint64(data))
}
