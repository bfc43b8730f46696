package process

import "fmt"

// An AuxValue is one entry of the auxiliary vector that the kernel of Linux gives to a process.
type AuxValue struct {
	Type, Value uint64
}

// auxNames are the types of entries. Source: Linux, include/uapi/linux/auxvec.h
// and arch/*/include/uapi/asm/auxvec.h.
var auxNames = map[uint64]string{
	0: "AT_NULL", 1: "AT_IGNORE", 2: "AT_EXECFD", 3: "AT_PHDR", 4: "AT_PHENT", 5: "AT_PHNUM",
	6: "AT_PAGESZ", 7: "AT_BASE", 8: "AT_FLAGS", 9: "AT_ENTRY", 10: "AT_NOTELF",
	11: "AT_UID", 12: "AT_EUID", 13: "AT_GID", 14: "AT_EGID", 15: "AT_PLATFORM", 16: "AT_HWCAP",
	17: "AT_CLKTCK", 23: "AT_SECURE", 24: "AT_BASE_PLATFORM", 25: "AT_RANDOM", 26: "AT_HWCAP2",
	27: "AT_RSEQ_FEATURE_SIZE", 28: "AT_RSEQ_ALIGN", 29: "AT_HWCAP3", 30: "AT_HWCAP4",
	31: "AT_EXECFN", 32: "AT_SYSINFO", 33: "AT_SYSINFO_EHDR", 51: "AT_MINSIGSTKSZ",
}

// Name is the entry's type.
func (a AuxValue) Name() string {
	if name, ok := auxNames[a.Type]; ok {
		return name
	}
	return fmt.Sprintf("AT_%d", a.Type)
}
