package disasm

import (
	"fmt"
	"strings"

	"crashglass/core/cpu"
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
