package pdb

import "strconv"

// A cvRegister is a register by its number in records: the one that the walk
// follows, and which bits of it are meant.
type cvRegister struct {
	name     string
	at, bits uint64
}

// Numbers of registers.
//
// Source: CV_HREG_e of microsoft-pdb's include/cvconst.h.
const (
	cvEAX    = 17
	cvXMM0   = 154
	cvXMM0L  = 194 // the low halves of xmm0 to xmm7
	cvXMM8   = 252
	cvYMM0   = 368 // CV_AMD64_YMM0
	cvRAX    = 328
	cvR8     = 336
	cvVFRAME = 30006
)

// low32 are the registers of x86 in the order of their numbers.
var low32 = [...]string{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"}

// low64 are those of amd64, which have another order.
var low64 = [...]string{"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"}

// registerOf finds a register of a machine.
func registerOf(machine, number uint16) (cvRegister, bool) {
	switch machine {
	case machineX86:
		return x86Register(number, low32[:])
	case machineAMD64:
		return amd64Register(number)
	case machineARM64:
		return arm64Register(number)
	case machineARM:
		return armRegister(number)
	}
	return cvRegister{}, false
}

// x86Register is a register of x86, or a part of one.
func x86Register(number uint16, names []string) (cvRegister, bool) {
	n := uint64(number)
	switch {
	case 1 <= n && n <= 4: // al, cl, dl, bl
		return cvRegister{names[n-1], 0, 8}, true
	case 5 <= n && n <= 8: // ah, ch, dh, bh
		return cvRegister{names[n-5], 8, 8}, true
	case 9 <= n && n <= 16: // ax to di
		return cvRegister{names[n-9], 0, 16}, true
	case cvEAX <= n && n < cvEAX+8:
		return cvRegister{names[n-cvEAX], 0, 32}, true
	case cvXMM0 <= n && n < cvXMM0+8:
		return cvRegister{"xmm" + strconv.Itoa(int(n-cvXMM0)), 0, 128}, true
	case cvXMM0L <= n && n < cvXMM0L+8:
		return cvRegister{"xmm" + strconv.Itoa(int(n-cvXMM0L)), 0, 64}, true
	}
	return cvRegister{}, false
}

// wide64 are the registers of amd64 whose low halves are those of x86.
var wide64 = [...]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"}

// lowBytes64 are the registers whose low bytes only amd64 has: sil, dil, bpl, spl.
var lowBytes64 = [...]string{"rsi", "rdi", "rbp", "rsp"}

func amd64Register(number uint16) (cvRegister, bool) {
	n := int(number)
	numbered := func(from int, bits uint64) (cvRegister, bool) {
		return cvRegister{"r" + strconv.Itoa(n-from+8), 0, bits}, true
	}
	switch {
	case cvXMM8 <= n && n < cvXMM8+8:
		return cvRegister{"xmm" + strconv.Itoa(n-cvXMM8+8), 0, 128}, true
	case cvYMM0 <= n && n < cvYMM0+16:
		return cvRegister{"ymm" + strconv.Itoa(n-cvYMM0), 0, 256}, true
	case 324 <= n && n < 328:
		return cvRegister{lowBytes64[n-324], 0, 8}, true
	case cvRAX <= n && n < cvRAX+8:
		return cvRegister{low64[n-cvRAX], 0, 64}, true
	case cvR8 <= n && n < cvR8+8:
		return numbered(cvR8, 64)
	case 344 <= n && n < 352: // r8b to r15b
		return numbered(344, 8)
	case 352 <= n && n < 360: // r8w to r15w
		return numbered(352, 16)
	case 360 <= n && n < 368: // r8d to r15d
		return numbered(360, 32)
	}
	return x86Register(number, wide64[:])
}

func arm64Register(number uint16) (cvRegister, bool) {
	n := int(number)
	for _, r := range []struct {
		from, count int
		prefix      string
		bits        uint64
	}{{10, 31, "x", 32}, {50, 29, "x", 64}, {100, 32, "v", 32}, {140, 32, "v", 64}, {180, 32, "v", 128}} {
		if r.from <= n && n < r.from+r.count {
			return cvRegister{r.prefix + strconv.Itoa(n-r.from), 0, r.bits}, true
		}
	}
	name, ok := map[int]string{79: "fp", 80: "lr", 81: "sp"}[n]
	return cvRegister{name, 0, 64}, ok
}

// armRegister: r0 to r12, sp and lr have the numbers 10 to 24.
func armRegister(number uint16) (cvRegister, bool) {
	n := int(number) - 10
	switch {
	case 0 <= n && n <= 12:
		return cvRegister{"r" + strconv.Itoa(n), 0, 32}, true
	case n == 13:
		return cvRegister{"sp", 0, 32}, true
	case n == 14:
		return cvRegister{"lr", 0, 32}, true
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
