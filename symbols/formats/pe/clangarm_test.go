package pe

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// readobjNames are llvm-readobj's words for registers, and those of packed
// entries, where they differ from what is written here.
var readobjNames = strings.NewReplacer("sp, sp, #", "sp, #", "x30", "lr", "mov x29", "mov fp")

// aCode is an unwind code as llvm-readobj writes it: of a packed entry without its bytes.
var aCode = regexp.MustCompile(`^(?:0x[0-9a-f]+ *; )?([a-z]+(?: .*)?)$`)

func compareARM64(t *testing.T, f *File, out string) {
	inPacked, signed := false, false
	want := wanted(out, func(line string) (string, bool) {
		name, _, _ := strings.Cut(line, ":")
		switch name {
		case "Function":
			inPacked, signed = false, false
		case "Fragment":
			inPacked = true
		case "CR":
			signed = line == "CR: 2"
		}
		if signed {
			return "", false
		}
		switch name {
		case "Function", "StartOffset", "Prologue [", "Epilogue [", "Opcodes [":
			return strings.TrimSuffix(line, " ["), name != "Opcodes ["
		case "FunctionLength":
			return line, true
		}
		m := aCode.FindStringSubmatch(line)
		if m == nil || !inPacked && !strings.HasPrefix(line, "0x") {
			return "", false
		}
		return readobjNames.Replace(m[1]), !strings.HasSuffix(m[1], "ibsp")
	})
	var got []string
	for _, e := range f.functions().entries {
		r, err := f.armRecord(e)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("Function: 0x%X", f.h.imageBase+uint64(e.begin)), fmt.Sprintf("FunctionLength: %d", 4*r.words))
		if e.data&3 != armFull && field(e.data, 21, 2) == crChainedPAC {
			f.beginsSigned(t, e)
			continue
		}
		got = append(got, "Prologue")
		got = append(got, spelledArm(r.prolog, false)...)
		if e.data&3 == armFull {
			header, err := f.read("header", uint64(e.data), 4)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.spelledEpilogs(t, header[2]>>5&1 != 0)...)
		}
	}
	sameLines(t, strings.Join(got, "\n"), want)
}

// beginsSigned checks a packed entry that says that its function signs its return
// address. LLVM 14 does not know of such, so that the code has to say it.
func (f *File) beginsSigned(t *testing.T, e entry) {
	t.Helper()
	const pacibsp = 0xd503237f
	code, err := f.read("code", uint64(e.begin), 4)
	if err != nil || binary.LittleEndian.Uint32(code) != pacibsp {
		t.Errorf("the function at %#x begins with % x: %v", e.begin, code, err)
	}
}

// spelledEpilogs are the epilogs that llvm-readobj tells: not one at the end
// that has the codes of the prolog.
func (r *armRecord) spelledEpilogs(t *testing.T, atEnd bool) (out []string) {
	for _, e := range r.epilogs {
		seq, err := r.sequence(e.index)
		switch {
		case err != nil:
			t.Fatal(err)
		case atEnd && e.index == 0:
			continue // the codes of the prolog
		case atEnd:
			out = append(out, "Epilogue")
		default:
			out = append(out, fmt.Sprint("StartOffset: ", e.start))
		}
		out = append(out, spelledArm(seq, true)...)
	}
	return out
}

// spelledArm writes codes as the instructions of a prolog or an epilog, but for
// those that sign, which LLVM 14 does not know.
func spelledArm(seq []armCode, epilog bool) (out []string) {
	for _, c := range seq {
		if c.signs {
			continue
		}
		out = append(out, readobjNames.Replace(c.spelled(epilog)))
	}
	return out
}

func (c armCode) spelled(epilog bool) string {
	in := func(prolog, undo string) string {
		if epilog {
			return undo
		}
		return prolog
	}
	switch c.kind {
	case armNop:
		return "nop"
	case armAlloc:
		return fmt.Sprintf(in("sub", "add")+" sp, #%d", c.off)
	case armSetFP:
		if c.off == 0 {
			return in("mov fp, sp", "mov sp, fp")
		}
		return fmt.Sprintf(in("add fp, sp, #%d", "sub sp, fp, #%d"), c.off)
	case armSaveNext:
		return in("save", "restore") + " next"
	case armEnd:
		return "end"
	case armTrapFrame:
		return "trap frame"
	case armMachineFrame:
		return "machine frame"
	case armContext:
		return "context"
	case armClearCall:
		return "clear unwound to call"
	case armSave:
		return in("st", "ld") + c.operands(epilog)
	}
	return fmt.Sprint("kind ", c.kind)
}

func (c armCode) operands(epilog bool) string {
	kind, second := "x", c.regs[1]
	if c.vector {
		kind, second = "d", c.regs[0]+1
	}
	regs := fmt.Sprintf("r %s%d", kind, c.regs[0])
	if c.count == 2 {
		regs = fmt.Sprintf("p %s%d, %s%d", kind, c.regs[0], kind, second)
	}
	switch {
	case c.bump == 0:
		return fmt.Sprintf("%s, [sp, #%d]", regs, c.off)
	case epilog:
		return fmt.Sprintf("%s, [sp], #%d", regs, c.bump)
	}
	return fmt.Sprintf("%s, [sp, #-%d]!", regs, c.bump)
}
