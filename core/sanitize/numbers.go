package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/dump/minidump"
)

// Streams of numbers are written anew from their known fields, which removes the bytes between and
// behind the fields.

// miscInfo keeps the id and times of the process, and the processor's clock. It removes the time
// zone, which reveals the user's location, the cookie, which decodes pointers, and the build
// strings, which name files of the system.
func (c *cleaner) miscInfo(minidump.StreamType) {
	m, _ := c.f.MiscInfo()
	if m == nil {
		return
	}
	kept := minidump.MiscInfo{ProcessID: m.ProcessID, Times: m.Times, Power: m.Power, Flags: m.Flags & keptMisc}
	times := m.Times != nil && c.small(m.Times.User) != m.Times.User // seconds on a processor
	if times || m.ProcessID != nil && c.small(*m.ProcessID) != *m.ProcessID {
		kept = minidump.MiscInfo{} // numbers as large as text are treated as text
	}
	c.w.MiscInfo(&kept)
	if m.TimeZone != nil || m.Cookie != nil || m.BuildString != "" || m.DebugBuild != "" {
		c.removed("the time zone, the pointer cookie and names of builds", 0, 0)
	}
}

// keptMisc are the flags of the remaining fields: MINIDUMP_MISC1_PROCESS_ID,
// MINIDUMP_MISC1_PROCESS_TIMES and MINIDUMP_MISC1_PROCESSOR_POWER_INFO.
const keptMisc = 0x1 | 0x2 | 0x4

// keptAux are the entries of the auxiliary vector with the addresses of the program, its loader and
// the vDSO, and with the processor's features. User ids and pointers to texts and random bytes are
// not among them.
//
// Source: Linux, include/uapi/linux/auxvec.h.
var keptAux = []uint64{3, 4, 5, 6, 7, 8, 9, 16, 17, 23, 26, 29, 30, 32, 33, 51}

func (c *cleaner) auxv(minidump.StreamType) {
	list, _ := c.f.Auxv()
	kept := slices.DeleteFunc(slices.Clone(list), func(a minidump.AuxValue) bool {
		return !slices.Contains(keptAux, a.Type) || c.holdsText(a.Value)
	})
	c.w.Auxv(kept, c.mem.word)
	if n := len(list) - len(kept); n > 0 {
		c.removed("entries of the auxiliary vector", n, 0)
	}
}

func (c *cleaner) memoryInfo(minidump.StreamType) {
	list, _ := c.f.MemoryInfo()
	c.w.MemoryInfo(slices.DeleteFunc(slices.Clone(list), func(m minidump.MemoryInfo) bool {
		return isTextNumber(m.Base, 8, c.f.Order()) || isTextNumber(m.Size, 8, c.f.Order())
	}))
}

func (c *cleaner) threadInfos(minidump.StreamType) {
	list, _ := c.f.ThreadInfos()
	list = slices.Clone(list)
	for i := range list {
		t := &list[i]
		t.Start, t.Affinity, t.Kernel, t.User = c.number(t.Start), c.number(t.Affinity), c.number(t.Kernel), c.number(t.User)
		t.Create, t.Exit = minidump.FileTime(c.number(uint64(t.Create))), minidump.FileTime(c.number(uint64(t.Exit)))
	}
	c.w.ThreadInfos(list)
}

func (c *cleaner) systemMemory(minidump.StreamType) {
	list, _ := c.f.SystemMemory()
	c.w.SystemMemory(c.counters(list))
}

func (c *cleaner) vmCounters(minidump.StreamType) {
	list, _ := c.f.ProcessVMCounters()
	c.w.ProcessVMCounters(c.counters(list))
}

func (c *cleaner) counters(list []minidump.Counter) []minidump.Counter {
	list = slices.Clone(list)
	for i := range list {
		list[i].Value = c.number(list[i].Value)
	}
	return list
}

// vendors are the vendor texts of x86 processors.
//
// Source: the CPUID instruction, leaf 0, of each maker's manual; Linux,
// arch/x86/kernel/cpu.
var vendors = []string{
	"GenuineIntel", "AuthenticAMD", "AMDisbetter!", "HygonGenuine", "CentaurHauls", "  Shanghai  ", "VIA VIA VIA ", "CyrixInstead",
	"GenuineTMx86", "TransmetaCPU", "Geode by NSC", "NexGenDriven", "RiseRiseRise", "SiS SiS SiS ", "UMC UMC UMC ", "Vortex86 SoC", "VirtualApple",
}

// processor returns the union about the processor, without a vendor text that is not in vendors.
func (c *cleaner) processor(s *minidump.SystemInfo) (cpu [24]byte) {
	cpu = s.CPU
	if !slices.Contains(vendors, string(cpu[:12])) {
		for at := 0; at < len(cpu); at += 4 {
			if isText(cpu[at : at+4]) {
				clear(cpu[at : at+4])
			}
		}
	}
	return cpu
}

// system returns the text of the system's version, if it is a version.
func (c *cleaner) system(s *minidump.SystemInfo) string {
	text := c.masked(s.CSDVersion)
	if isSystem(text) {
		return text
	}
	c.removed("the text of the system's version", 0, 0)
	return ""
}

// isSystem reports whether a text is a service pack, the output of uname or its end, or a build number.
func isSystem(text string) bool {
	first, rest, _ := strings.Cut(text, " ")
	return text == "" || isRelease(first) && len(rest) > 1 && rest[0] == '#' && isDigit(rest[1]) || first == "Linux" || first == "Darwin" ||
		first == "Service" || first[:min(1, len(first))] == "#" || isBuild(text)
}

// isRelease reports whether a word is the release of a kernel, or what remains of one without its
// numbers, which Crashpad writes into another field: "6.1.0-18-amd64", "-18-amd64".
func isRelease(word string) bool {
	return word != "" && (isDigit(word[0]) || strings.IndexByte("-+.~_", word[0]) >= 0) && strings.IndexFunc(word, func(c rune) bool {
		return c > '~' || !isTokenByte(byte(c)) && c != '+' && c != '~'
	}) < 0
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// longestBuild is above the length of all build numbers of macOS and iOS: "19F101", "21A5248u".
const longestBuild = 10

func isBuild(text string) bool {
	digit := strings.IndexAny(text, "0123456789")
	return digit >= 0 && len(text) <= longestBuild && strings.Trim(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.") == ""
}
