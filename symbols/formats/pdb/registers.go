package pdb

import "strconv"

// A cvRegister is a register by its number in records: the one that the walk
// follows, and which bits of it are meant.
type cvRegister struct {
	name     string
	at, bits uint64
}

// A registerRow is registers whose numbers follow each other.
type registerRow struct {
	from     int
	names    []string
	at, bits uint64
}

// cvVFRAME is the number of $T0, the virtual frame.
const cvVFRAME = 30006

// registerRows are the registers of each machine.
//
// Source: CV_HREG_e of microsoft-pdb's include/cvconst.h.
var registerRows = map[uint16][]registerRow{
	machineX86: rowsX86("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"),
	machineAMD64: append(rowsX86("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"),
		registerRow{from: 252, names: numbered("xmm", 8, 15), bits: 128},
		registerRow{from: 324, names: []string{"rsi", "rdi", "rbp", "rsp"}, bits: 8}, // sil, dil, bpl, spl
		registerRow{from: 328, names: []string{"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"}, bits: 64},
		registerRow{from: 336, names: numbered("r", 8, 15), bits: 64},
		registerRow{from: 344, names: numbered("r", 8, 15), bits: 8},  // r8b to r15b
		registerRow{from: 352, names: numbered("r", 8, 15), bits: 16}, // r8w to r15w
		registerRow{from: 360, names: numbered("r", 8, 15), bits: 32}, // r8d to r15d
		registerRow{from: 368, names: numbered("ymm", 0, 15), bits: 256}),
	machineARM: {{from: 10, names: append(numbered("r", 0, 12), "sp", "lr"), bits: 32}},
	machineARM64: {
		{from: 10, names: numbered("x", 0, 30), bits: 32},
		{from: 50, names: append(numbered("x", 0, 28), "fp", "lr", "sp"), bits: 64},
		{from: 100, names: numbered("v", 0, 31), bits: 32},
		{from: 140, names: numbered("v", 0, 31), bits: 64},
		{from: 180, names: numbered("v", 0, 31), bits: 128},
	},
}

// rowsX86 are the registers of x86 and their parts, which amd64 has as parts of its own.
func rowsX86(names ...string) []registerRow {
	return []registerRow{
		{from: 1, names: names[:4], bits: 8},        // al, cl, dl, bl
		{from: 5, names: names[:4], at: 8, bits: 8}, // ah, ch, dh, bh
		{from: 9, names: names, bits: 16},           // ax to di
		{from: 17, names: names, bits: 32},          // eax to edi
		{from: 154, names: numbered("xmm", 0, 7), bits: 128},
		{from: 194, names: numbered("xmm", 0, 7), bits: 64}, // the low halves
	}
}

func numbered(prefix string, first, last int) (out []string) {
	for i := first; i <= last; i++ {
		out = append(out, prefix+strconv.Itoa(i))
	}
	return out
}

func registerOf(machine, number uint16) (cvRegister, bool) {
	for _, r := range registerRows[machine] {
		if i := int(number) - r.from; 0 <= i && i < len(r.names) {
			return cvRegister{r.names[i], r.at, r.bits}, true
		}
	}
	return cvRegister{}, false
}

// registerName is what evidence calls a register.
func registerName(machine, number uint16) string {
	if number == cvVFRAME {
		return "$T0"
	}
	r, ok := registerOf(machine, number)
	if !ok {
		return "register " + strconv.Itoa(int(number))
	}
	return r.name
}
