package process

import (
	"fmt"
	"strings"
)

// Facts describe a process beyond its threads, modules and memory. Most files have few of them.
type Facts struct {
	PID      *uint32
	Uptime   *uint64 // in seconds
	Time     uint32  // when the file was written, in seconds since 1970; 0 when unknown
	Flags    uint64  // of the kind of minidump
	Hash     string  // the file's [Digest], or that of the process's part of it; "" when it could not be read
	Writer   string  // the program that wrote the file, "" when unknown
	Crashpad bool    // it is Crashpad, whose signal codes are the kernel's

	Streams     []Stream
	Defect      string // what is wrong with the list of streams, "" for nothing
	Annotations []Annotation

	MapCount    *int // lines of /proc/PID/maps
	Microcode   string
	LSBRelease  *LSBRelease
	Limits      []Limit
	Files       []TextFile       // of /proc and /etc
	Auxv        []AuxValue       // of the kernel of Linux
	MacCrash    []MacCrashRecord // nil when the file has no list
	MacBootArgs *string
	Handles     []Handle // nil when the file has no list
	SoftErrors  *string  // of the writer, as JSON

	FunctionTables []FunctionTable
}

// A FunctionTable is unwind entries (RUNTIME_FUNCTION) of code that a program of Windows made at run time.
type FunctionTable struct {
	First, End, Base uint64 // the addresses of its code, and the one that its entries are relative to
	Entries          []byte
}

// A Stream is a part of the file with a number and a place.
type Stream struct {
	Type   uint32
	Name   string // "" when unknown
	Offset int64
	Size   uint32
	Error  *string // why it cannot be read completely
}

// An Annotation is a named text of the program or of its crash reporter.
type Annotation struct {
	Name, Value string
	Source      string  // the part of the file
	Module      *string // that it belongs to, nil for the process
}

// An LSBRelease is a Linux distribution.
type LSBRelease struct{ ID, Release, Codename, Description string }

// A Limit is one line of /proc/PID/limits.
type Limit struct {
	Name, Unit string
	Soft, Hard uint64 // Unlimited for no limit
}

// Unlimited is the value of a Limit without a limit.
const Unlimited = ^uint64(0)

// A TextFile is a copy of a text file. Arguments and environment have a NUL behind each value.
type TextFile struct {
	Name, Text string
	Sensitive  bool
}

// The names of text files of Linux that readers make themselves.
const (
	CmdLine = "/proc/PID/cmdline"
	Environ = "/proc/PID/environ"
	Maps    = "/proc/PID/maps"
)

// A MacCrashRecord is the __DATA,__crash_info section of one library: the reason why it ended the
// program.
type MacCrashRecord struct {
	Version                                         uint64
	Thread, DialogMode, AbortCause                  *uint64 // nil when the version does not have it
	Module, Message, Signature, Backtrace, Message2 string
}

// A Handle is an open handle, or a file descriptor.
type Handle struct {
	Value      uint64
	Type, Name string // "" when unknown
}

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

// Lack is a set of facts that the file does not have, although a stream has a field for them.
type Lack uint32

// The facts that may be lacking.
const (
	CPUModel      Lack = 1 << iota // vendor and model of the CPU
	CPUCount                       // the number of CPUs
	SystemVersion                  // the numbers of the system's version
	SignalNumber                   // the kind of the exception: it is only known that there was one
	SignalCode                     // si_code
	CodeIDs                        // the whole of a module's code ID
	Writer                         // the program that wrote it
	Places                         // file offsets of streams
	Copy                           // a form that could be written again as a smaller file
)

var words = []string{
	"CPU model", "CPU count", "system version", "signal number", "signal code", "code IDs", "writer", "places of streams", "copy",
}

// Has reports whether all of some facts are lacking.
func (l Lack) Has(facts Lack) bool { return l&facts == facts }

// String lists the facts.
func (l Lack) String() string {
	var out []string
	for i, word := range words {
		if l.Has(1 << i) {
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}

// An Origin has the facts of the file itself.
type Origin struct {
	Kind  string // the kind of file, for people; no code depends on it
	Table string // the name of its table of parts, "" for a directory of streams
	Size  int64  // of the file, in bytes
	Need  int64  // the end of its last part, which exceeds Size when it is truncated; 0 when unknown
	GPU   GPU

	// Detail is the file in the reader's own type, for programs that show all contents. It is nil if
	// the process has everything.
	Detail any

	// Excerpt reads the lines of a report that is text, without those of other writers of its log. It is nil for other files.
	Excerpt func() ([]byte, error)

	// KernelSignal says that the kernel set the signal's code, so that 0 is SI_USER. Some writers
	// of minidumps leave 0 because they do not know the code.
	KernelSignal bool

	// Debugger is the debugger that stopped the process and wrote the file, "" if there was none. A
	// SIGTRAP then comes from the debugger, unless the program has a breakpoint instruction there.
	Debugger string
}

// A GPU is the graphics driver as it names itself; "" when unknown.
type GPU struct{ Version, Vendor, Renderer string }
