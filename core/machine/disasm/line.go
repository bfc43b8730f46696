package disasm

import (
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
)

// Line formats an instruction for a listing. It is Text, but with the target of a direct branch as
// an address. The name of that address ("middle + 0x10") follows, unless name is nil or returns "".
func Line(inst *cpu.Inst, name func(addr uint64) string) string {
	text := inst.Text
	if !inst.HasTarget {
		return text
	}
	if i := strings.LastIndex(text, "$"); i >= 0 { // x86: a distance from the end
		text = text[:i] + fmt.Sprintf("%#x", inst.Target)
	}
	if name == nil {
		return text
	}
	if n := name(inst.Target); n != "" {
		text += " <" + n + ">"
	}
	return text
}

// absolute replaces a distance from the instruction, ".+0x8", by the address, which wraps at the
// width of mask.
func absolute(text string, addr, mask uint64) string {
	i := strings.LastIndex(text, ".+0x")
	if j := strings.LastIndex(text, ".-0x"); j > i {
		i = j
	}
	if i < 0 {
		return text
	}
	end := i + len(".+0x")
	for end < len(text) && isHex(text[end]) {
		end++
	}
	d, err := strconv.ParseUint(text[i+len(".+0x"):end], 16, 64)
	if err != nil {
		return text
	}
	if text[i+1] == '-' {
		d = -d
	}
	return text[:i] + fmt.Sprintf("%#x", (addr+d)&mask) + text[end:]
}

// isHex reports whether a byte is a digit that fmt writes for %x.
func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

func spaced(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, ", ", ","), ",", ", ")
}
