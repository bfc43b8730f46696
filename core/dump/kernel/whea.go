package kernel

import (
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
)

// Types of sections of an error record. Sources: UEFI specification, appendix N.2.2; ntddk.h (XPF_MCA_SECTION_GUID).
const (
	memorySection  = "a5bc1114-6f64-4ede-b863-3e83ed7c83b1"
	deviceSection  = "d995e954-bbc1-430f-ad91-b44dcb3c6f35"
	machineSection = "8a1e1d01-42f9-4557-9c33-565e5cc3f7e8"
)

// hardware returns what an error record (WHEA_ERROR_RECORD) names: a header, descriptors of sections and the sections.
//
// Sources: UEFI specification, appendix N.2 (N.2.5 memory, N.2.7 PCI Express); include/linux/cper.h; of machine checks
// WHEA_XPF_MCA_SECTION of ntddk.h and of the symbols of ntkrnlmp.pdb.
func (r *reader) hardware(at uint64) (out []string) {
	const header, descriptor, most, longest = 0x80, 0x48, 16, 0x50
	head := r.bytes(at, header)
	if len(head) < header || string(head[:4]) != "CPER" {
		return nil
	}
	for i := range min(uint64(order.Uint16(head[0xa:])), most) {
		d := r.bytes(at+header+i*descriptor, descriptor)
		if len(d) < descriptor {
			break
		}
		s := r.bytes(at+uint64(order.Uint32(d)), min(uint64(order.Uint32(d[4:])), longest))
		text := section(minidump.ReadGUID(bin.NewCursor("section", 0, d[0x10:])).Dashed(), s)
		const hasName = 2
		if name := bin.Text(d[0x34:]); text != "" && d[0xa]&hasName != 0 && name != "" && !strings.ContainsFunc(name, odd) {
			text += ", " + name
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// section names the part of the hardware that a section is about, "" if it names none.
func section(kind string, s []byte) string {
	has := func(bit uint) bool { return order.Uint64(s)>>bit&1 != 0 }
	switch {
	case kind == machineSection && len(s) >= 0x30:
		return fmt.Sprintf("processor %d, machine check bank %d", order.Uint32(s[0x10:]), order.Uint32(s[0x24:]))
	case kind == deviceSection && len(s) >= 0x24 && has(3):
		return fmt.Sprintf("PCI Express device %04x:%04x at bus %d, device %d, function %d", order.Uint16(s[0x18:]), order.Uint16(s[0x1a:]), s[0x23], s[0x20], s[0x1f])
	case kind == memorySection && len(s) >= 0x28:
		words := []string{"memory"}
		for i, name := range []string{"node", "card", "module"} {
			if has(uint(3 + i)) {
				words = append(words, fmt.Sprintf("%s %d", name, order.Uint16(s[0x20+2*i:])))
			}
		}
		if has(1) {
			words = append(words, fmt.Sprintf("physical address %#x", order.Uint64(s[0x10:])))
		}
		return strings.Join(words, ", ")
	}
	return ""
}

// bytes reads up to n bytes of memory.
func (r *reader) bytes(at, n uint64) []byte {
	b := make([]byte, n)
	return b[:r.Memory.Read(at, b)]
}
