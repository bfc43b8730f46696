// Package report is the result of an analysis as plain data. Every view, text and file is made from
// it.
//
// Its JSON is rust-minidump's schema (json-schema.md of minidump-processor): the same names, types
// and meanings, with addresses as hex strings of the dump's pointer width. Additional fields are
// marked "ours" below and never change the meaning of rust-minidump's. As in that schema every
// field may be null: half a dump is the normal case, and a zero Report is a valid one.
//
// Strings come from dumps and symbol files. They may contain anything, including markup and control
// characters; the code that shows them escapes them. The package analyzes and formats nothing.
//
// Read this file first, then its parts: thread.go, variable.go, wait.go and next.go.
// kinds.go has the codes, address.go formats addresses.
package report

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// A Report is the result for one dump.
type Report struct {
	Status         string      `json:"status"` // always "OK": a failed analysis gives an error and no report
	PID            *uint32     `json:"pid"`
	ProcessUptime  *uint64     `json:"process_uptime"` // seconds
	CrashInfo      CrashInfo   `json:"crash_info"`
	SystemInfo     SystemInfo  `json:"system_info"`
	MapCount       *int        `json:"linux_memory_map_count"`
	ThreadCount    int         `json:"thread_count"`
	Threads        []Thread    `json:"threads"`
	CrashingThread *Crashing   `json:"crashing_thread,omitempty"`
	MainModule     int         `json:"main_module"`
	HasCertInfo    bool        `json:"modules_contains_cert_info"` // always false: signatures are not checked
	Modules        []Module    `json:"modules"`
	Unloaded       []Unloaded  `json:"unloaded_modules"`
	Handles        []Handle    `json:"handles"`
	LSBRelease     *LSBRelease `json:"lsb_release"`
	ProcLimits     *ProcLimits `json:"proc_limits"`
	MacCrashInfo   *MacCrash   `json:"mac_crash_info"`
	MacBootArgs    *string     `json:"mac_boot_args"`
	SoftErrors     any         `json:"soft_errors"` // JSON that the writer of the dump put there
	MadeBy         string      `json:"made_by"`     // ours, and all that follows: the program and its version
	Dump           Dump        `json:"dump"`
	Verdict        Verdict     `json:"verdict"`
	NextSteps      []NextStep  `json:"next_steps"` // what to do, at most three, the most useful first
	Signature      *string     `json:"signature"`  // the name that crashes of this kind share: the function to blame; null without a crash

	// SocorroSignature is the name by the rules of Mozilla's crash-stats.
	SocorroSignature *string `json:"socorro_signature"`

	Annotations   []Annotation `json:"annotations"`
	WantedSymbols []Wanted     `json:"wanted_symbols"`
	UnusedSymbols []Unused     `json:"unused_symbols,omitempty"` // that were given
	UnreadServers []string     `json:"unread_servers,omitempty"` // that _NT_SYMBOL_PATH names
	MemoryRegions []Region     `json:"memory_regions"`
	Streams       []Stream     `json:"streams"`
	LinuxFiles    []TextFile   `json:"linux_files"`
	Notes         []Note       `json:"notes"`
	CodeChanges   []CodeChange `json:"code_changes,omitempty"` // code that is not as it was shipped
	Globals       []Globals    `json:"globals,omitempty"`      // if they were requested
	Evaluated     *Evaluated   `json:"evaluated,omitempty"`    // the requested expressions
	Hang          *Hang        `json:"hang"`                   // the summary of the threads' waits; null when none is proved
	Tasks         []Task       `json:"tasks,omitempty"`        // goroutines, which are no threads
}

// Subject returns the index of the thread that the report is about, or -1.
func (r *Report) Subject() int {
	if c := r.CrashInfo.CrashingThread; c != nil && *c >= 0 && *c < len(r.Threads) {
		return *c
	}
	return -1
}

// Dump describes the file itself.
type Dump struct {
	Size    int64    `json:"size"`    // bytes
	Hash    *string  `json:"hash"`    // 32 hex digits that identify the dump, of the file's size and its bytes; of a large file only some bytes count
	Time    *uint32  `json:"time"`    // when it was written, seconds since 1970 UTC
	Flags   uint64   `json:"flags"`   // MINIDUMP_TYPE
	Kind    string   `json:"kind"`    // "minidump", "microdump" or "ELF core"
	Writer  *string  `json:"writer"`  // the program that wrote it, if its streams show it: "Breakpad", "Crashpad", "Windows", "LLDB"
	Process *string  `json:"process"` // path of the main module
	Memory  uint64   `json:"memory"`  // bytes of memory captured
	Archive []string `json:"archive"` // the archives that contain it, outermost first

	// File is the dump's path, and which dump of the file it is, if reports of several dumps are written together.
	File string `json:"file,omitempty"`
}

// SystemInfo is the machine and its operating system.
type SystemInfo struct {
	OS           *string `json:"os"`
	OSVersion    *string `json:"os_ver"`
	CPU          *string `json:"cpu_arch"`
	CPUInfo      *string `json:"cpu_info"`
	CPUCount     *uint32 `json:"cpu_count"`
	CPUMicrocode *string `json:"cpu_microcode_version"`
	OSRaw        *string `json:"os_raw"`        // ours: version numbers and build text as the stream has them
	GPU          *GPU    `json:"gpu"`           // ours: null unless the dump names it, as microdumps do
	PointerWidth int     `json:"pointer_width"` // ours: bytes, 4 or 8; 0 when the CPU is unknown
	BigEndian    bool    `json:"big_endian"`    // ours
}

// System is the operating system, "" when unknown.
func (s *SystemInfo) System() process.OS {
	if s.OS == nil {
		return ""
	}
	return process.Named(*s.OS)
}

// Arch is the CPU, nil when unknown.
func (s *SystemInfo) Arch() *cpu.Arch {
	if s.CPU == nil {
		return nil
	}
	return cpu.ByName(*s.CPU)
}

// A GPU is the graphics driver as it names itself.
type GPU struct {
	Version  string `json:"version"`
	Vendor   string `json:"vendor"`
	Renderer string `json:"renderer"`
}

// CrashInfo has the facts of the exception record and of the code around the crash.
type CrashInfo struct {
	Type                     *string   `json:"type"`
	Address                  *Address  `json:"address"`
	AdjustedAddress          *Adjusted `json:"adjusted_address"`
	Instruction              *string   `json:"instruction"`
	MemoryAccesses           []Access  `json:"memory_accesses"`
	InstructionPointerUpdate *IPUpdate `json:"instruction_pointer_update"`
	PossibleBitFlips         []BitFlip `json:"possible_bit_flips"`
	Inconsistencies          []string  `json:"crash_inconsistencies"`
	CrashingThread           *int      `json:"crashing_thread"` // index into Threads
	Assertion                *string   `json:"assertion"`
	Code                     *Address  `json:"code"`               // ours: exception code or signal number
	Flags                    *Address  `json:"flags"`              // ours: exception flags or si_code
	Parameters               []Address `json:"parameters"`         // ours: the words of the exception record, or of a bug check
	ParameterMeanings        []string  `json:"parameter_meanings"` // ours: of each parameter, "" when unknown
	Note                     *string   `json:"note"`               // ours: the reason's meaning in words
	Reason                   *string   `json:"reason"`             // ours: Type for people; it differs where rust-minidump does not know the exception, or has the name of another one
	NoAddress                *string   `json:"no_address"`         // ours: why Address is not an accessed address: "sent by process 24248"; null if it is one
	Accessed                 *Address  `json:"accessed_address"`   // ours: the address whose access failed; null when unknown, and for crashes of other kinds
	PointerRegister          *string   `json:"pointer_register"`   // ours: the register of the innermost frame that holds the wrong pointer
	Origin                   Trail     `json:"origin"`             // ours: where that register, or the address that was called, came from; null when unknown
}

// Meaning is the meaning of a parameter, "" when unknown.
func (c *CrashInfo) Meaning(i int) string {
	if i < len(c.ParameterMeanings) {
		return c.ParameterMeanings[i]
	}
	return ""
}

// Adjusted is an address that explains more than the reported one.
type Adjusted struct {
	Kind    string   `json:"kind"` // "non-canonical" or "null-pointer"
	Address *Address `json:"address,omitempty"`
	Offset  *Address `json:"offset,omitempty"`
}

// An Access is an access of the crashing instruction to memory.
type Access struct {
	Address     Address `json:"address"`
	Size        *uint8  `json:"size"`
	LikelyGuard bool    `json:"is_likely_guard_page,omitempty"`
	AccessType  string  `json:"access_type,omitempty"` // "read", "write", "readwrite"
}

// An IPUpdate is the address that the crashing instruction jumps to.
type IPUpdate struct {
	Address     Address `json:"address"`
	LikelyGuard bool    `json:"is_likely_guard_page,omitempty"`
}

// A BitFlip is the address that was probably meant, one bit away.
type BitFlip struct {
	Address        Address        `json:"address"`
	Details        BitFlipDetails `json:"details"`
	Confidence     *float64       `json:"confidence"` // rust-minidump's, with all digits of its 32-bit number
	SourceRegister *string        `json:"source_register"`
}

// BitFlipDetails are the reasons of a BitFlip's confidence.
type BitFlipDetails struct {
	WasNonCanonical bool   `json:"was_non_canonical"`
	IsNull          bool   `json:"is_null"`
	WasLow          bool   `json:"was_low"`
	NearbyRegisters uint32 `json:"nearby_registers"`
	PoisonRegisters bool   `json:"poison_registers"`
}

// A Module is one loaded image.
type Module struct {
	Base           Address  `json:"base_addr"`
	End            Address  `json:"end_addr"` // exclusive
	CodeFile       string   `json:"filename"` // without folders
	CodeID         string   `json:"code_id"`
	DebugFile      string   `json:"debug_file"`
	DebugID        string   `json:"debug_id"`
	Version        *string  `json:"version"`
	CertSubject    *string  `json:"cert_subject"`
	MissingSymbols bool     `json:"missing_symbols"`
	LoadedSymbols  bool     `json:"loaded_symbols"`
	CorruptSymbols bool     `json:"corrupt_symbols"`
	SymbolURL      *string  `json:"symbol_url"`
	Path           string   `json:"path"`      // ours: the whole path
	Overlap        *string  `json:"overlap"`   // ours: how its range was reduced, in words
	Symbols        *Symbols `json:"symbols"`   // ours: null when they were not looked up
	System         bool     `json:"is_system"` // ours: belongs to the operating system, by its path
}

// States of a module's symbols.
const (
	SymbolsMatched    = "matched"
	SymbolsPublicOnly = "public_only"
	SymbolsMissing    = "missing"
	SymbolsReading    = "reading" // they are available but not read yet: a later report will have them
	SymbolsWrongBuild = "wrong_build"
	SymbolsDamaged    = "damaged"
)

// Symbols is the state of one module's symbols.
type Symbols struct {
	State   string  `json:"state"`    // "matched", "public_only", "missing", "reading", "wrong_build", "damaged"
	File    *string `json:"file"`     // the used file, or the closest one
	GivenID *string `json:"given_id"` // the id of that file
	Why     *string `json:"why"`      // one sentence: why it is not used, or its defect
	Lines   bool    `json:"lines"`    // the contents of the file
	Inlines bool    `json:"inlines"`
	CFI     bool    `json:"cfi"`
	Code    bool    `json:"code"`  // the module's file is available: its code fills gaps of the dump
	Bytes   int64   `json:"bytes"` // size of the file

	// Variables says that the file may describe arguments and local variables.
	Variables bool `json:"variables,omitempty"`

	// Forcible says that a mismatched file can be forced, or is: see Frame.UsedAnyway.
	Forcible bool `json:"forcible"`

	// Also has the names of other used files of the same build, for facts that the first one lacks.
	Also []string `json:"also"`

	// Local are those of File and Also that nobody named: they were found on this machine.
	Local []LocalFile `json:"local,omitempty"`

	// Split names the first files of the DWARF that was split off File and not given.
	Split []string `json:"split,omitempty"`

	// Damage is the unusable part of a text file; nil if there is none.
	Damage *Damage `json:"damage,omitempty"`
}

// Damage locates the damaged lines of a text symbol file. The rest of it is used.
type Damage struct {
	Line      int64 `json:"line"`      // the first such line, counted from 1; 0 when it is unknown
	Records   int   `json:"records"`   // the number of lines that are left out
	Truncated bool  `json:"truncated"` // the file ends within a line
}

// A CodeChange is captured code that differs from its module's file. Code that loaders change is left out.
type CodeChange struct {
	Kind           CodeChangeKind `json:"kind"`
	Address        Address        `json:"address"`
	Module         string         `json:"module"`
	ModuleIndex    int            `json:"module_index"`
	ModuleOffset   Address        `json:"module_offset"`
	Function       *string        `json:"function"` // null when unknown
	FunctionOffset *Address       `json:"function_offset"`
	Shipped        string         `json:"shipped"`  // the bytes of the file, as hex digits
	Captured       string         `json:"captured"` // those of memory
	Target         *Address       `json:"target"`   // where a hook leads
	TargetModule   *string        `json:"target_module"`
	TargetIndex    *int           `json:"target_index"` // of that module
}

// Near reports whether a change is in the instruction at an address, or in those around it.
func (c *CodeChange) Near(pc uint64) bool {
	const longest = 15 // bytes of an instruction
	at := c.Address.Number()
	return pc != 0 && at+longest >= pc && at <= pc+longest
}

// An Unloaded module was unloaded before the dump was written.
type Unloaded struct {
	Base        Address `json:"base_addr"`
	End         Address `json:"end_addr"`
	CodeFile    string  `json:"filename"`
	CodeID      string  `json:"code_id"`
	CertSubject *string `json:"cert_subject"`
}

// A Wanted symbol file would name more frames.
type Wanted struct {
	Module    int      `json:"module"` // index into Modules
	DebugFile string   `json:"debug_file"`
	DebugID   string   `json:"debug_id"`
	CodeFile  string   `json:"code_file"`
	CodeID    string   `json:"code_id"`
	Paths     []string `json:"paths"`  // below a symbol store: Breakpad's first, then Microsoft's and debuginfod's
	Frames    int      `json:"frames"` // the number of physical frames, of all threads, that it would name
	Crashing  bool     `json:"crashing"`
	State     string   `json:"state"` // as Symbols.State
	Why       *string  `json:"why"`
	Origin    Origin   `json:"origin,omitempty"` // where the file is to be had
	Server    string   `json:"server,omitempty"` // the symbol server of Origin
}

// A Handle is one open handle or file descriptor.
type Handle struct {
	Handle     uint64  `json:"handle"`
	TypeName   *string `json:"type_name"`
	ObjectName *string `json:"object_name"`
}

// LSBRelease is the Linux distribution.
type LSBRelease struct {
	ID          string `json:"id"`
	Release     string `json:"release"`
	Codename    string `json:"codename"`
	Description string `json:"description"`
}

// ProcLimits is /proc/PID/limits.
type ProcLimits struct {
	Limits []ProcLimit `json:"limits"`
}

// A ProcLimit is one resource limit; Soft and Hard hold a number or "unlimited".
type ProcLimit struct {
	Name string `json:"name"`
	Soft any    `json:"soft"`
	Hard any    `json:"hard"`
	Unit string `json:"unit"`
}

// MacCrash has the contents of __DATA,__crash_info of macOS libraries.
type MacCrash struct {
	Count   int              `json:"num_records"`
	Records []MacCrashRecord `json:"records"`
}

// A MacCrashRecord is one library's crash information.
type MacCrashRecord struct {
	Thread     *Address `json:"thread"`
	DialogMode *Address `json:"dialog_mode"`
	AbortCause *Address `json:"abort_cause"`
	Module     *string  `json:"module"`
	Message    *string  `json:"message"`
	Signature  *string  `json:"signature_string"`
	Backtrace  *string  `json:"backtrace"`
	Message2   *string  `json:"message2"`
}

// An Annotation is a name and a value that the program or its crash reporter attached.
type Annotation struct {
	Name   string  `json:"name"`
	Value  string  `json:"value"`
	Source string  `json:"source"` // the stream that it comes from
	Module *string `json:"module"` // the module, if it belongs to one
}

// A Region is a range of the address space.
type Region struct {
	Base       Address `json:"base"`
	Size       Address `json:"size"`
	Protection string  `json:"protection"` // "rwx" with dashes; "" when unknown
	State      string  `json:"state"`      // "committed", "reserved", "free"; "" when unknown
	Kind       string  `json:"kind"`       // "image", "mapped", "private", "stack"; "" when unknown
	Name       string  `json:"name"`       // file or module
	Captured   bool    `json:"captured"`   // its bytes are in the dump
}

// A Stream is one entry of the dump's directory.
type Stream struct {
	Type   uint32  `json:"type"`
	Name   string  `json:"name"` // "" when the type is unknown
	Offset int64   `json:"offset"`
	Size   uint32  `json:"size"`
	Error  *string `json:"error"` // why it could not be read
}

// A TextFile is a file of /proc that was copied into the dump.
type TextFile struct {
	Name      string `json:"name"`
	Text      string `json:"text"`
	Sensitive bool   `json:"sensitive"` // show it only on request: environment, command line
}

// A Note describes a defect of the dump or of a symbol file.
type Note struct {
	Kind   NoteKind `json:"kind"`
	Where  string   `json:"where"`  // "thread list", "libxul.sym"
	Text   string   `json:"text"`   // one line
	Offset *int64   `json:"offset"` // of the bad value in its file
	Count  int      `json:"count"`  // how many times; at least 1
}

// A Verdict is the result in one sentence, with its evidence.
type Verdict struct {
	What       string      `json:"what"`           // "Null pointer read"
	Where      *string     `json:"where"`          // "middle": function, or module + offset
	Guess      bool        `json:"guess"`          // Where is only probable: its frame, or one before it, was found by scanning
	Kind       FrameKind   `json:"kind,omitempty"` // the language of the interpreted function that Where names; "" for native ones
	At         *string     `json:"at"`             // "threads.cpp:12"
	Detail     string      `json:"detail"`         // one or two sentences about the mechanism, with the values that prove it; may be ""
	Crashed    bool        `json:"crashed"`        // false for a dump written on request
	Finding    FindingKind `json:"finding"`        // the kind of the cause; "" when it is unknown
	Row        *int        `json:"row"`            // the row of the crashing thread's stack that Where names; inlined calls have rows of their own
	Confidence *float32    `json:"confidence"`     // in Finding, 0 to 1, if it was estimated
	Badges     []Badge     `json:"badges"`         // further claims

	Goroutine *uint64 `json:"goroutine,omitempty"` // the goroutine that has the function that Where names; null if the crashing thread's stack has it
}

// A Badge is one claim about the crash, with evidence.
type Badge struct {
	Kind       BadgeKind   `json:"kind"`
	Finding    FindingKind `json:"finding"`    // its subject
	Text       string      `json:"text"`       // "Null pointer + 0x8"
	Evidence   []string    `json:"evidence"`   // sentences
	Confidence *float32    `json:"confidence"` // 0 to 1, if it was estimated
}

// A Trail is where the bad pointer of a crash came from, the innermost link first: each link leads to the
// next one.
type Trail []OriginLink

// An OriginLink says where the value of a register, or of a word of the stack, came from.
type OriginLink struct {
	Kind        OriginKind `json:"kind"`
	Frame       int        `json:"frame"`                 // of the thread, in which that happened
	Register    string     `json:"register,omitempty"`    // that held the value; "" for one that an instruction stored or called without a register
	Value       *Address   `json:"value"`                 // null when unknown
	Variable    string     `json:"variable,omitempty"`    // the variable that the register was
	Source      string     `json:"source,omitempty"`      // of "load": the variable, member or element in memory
	Rule        string     `json:"rule,omitempty"`        // where the debug information says that Variable, or else Source, was
	Memory      *Address   `json:"memory,omitempty"`      // of "load": the address in memory
	Instruction string     `json:"instruction,omitempty"` // that set the register
	At          *Address   `json:"at,omitempty"`          // its address
	Function    string     `json:"function,omitempty"`    // of "result": that was called
	Guess       bool       `json:"guess"`                 // there may be other ways to this place than the ones in the code that was read
	Text        string     `json:"text"`                  // the same in words, which package render writes
}

// An OriginKind is where a value came from.
type OriginKind string

// The kinds.
const (
	OriginLoad     OriginKind = "load"     // from memory
	OriginCopy     OriginKind = "copy"     // from another register
	OriginSum      OriginKind = "sum"      // another register and a number
	OriginConstant OriginKind = "constant" // a number of the program
	OriginResult   OriginKind = "result"   // Function returned it
	OriginArgument OriginKind = "argument" // the caller passed it
	OriginUnknown  OriginKind = "unknown"  // the dump does not prove it
)

// A LocalFile is a file of this machine that was used although nobody named it, because it has a module's ID.
type LocalFile struct {
	File  string `json:"file"`
	Place Place  `json:"place"`
}

// A Place is where a file of this machine was found.
type Place string

// The places, in the order of search.
const (
	AtRecordedPath  Place = "recorded_path"    // the path in the dump
	BesideIt        Place = "beside"           // in the folder of that path, its .debug folder, or a bundle beside it
	InDebugFolder   Place = "debug_folder"     // /usr/lib/debug, by path
	ByBuildID       Place = "build_id"         // /usr/lib/debug, by build ID
	InDebuginfod    Place = "debuginfod_cache" // the cache of debuginfod's client
	InSymbolPath    Place = "symbol_path"      // a local part of _NT_SYMBOL_PATH
	InSymbolCache   Place = "symbol_cache"     // a default cache of a debugger of Windows
	InXcode         Place = "xcode"            // Xcode's folders DerivedData and Archives
	SpotlightsPlace Place = "spotlight"        // the answer of Spotlight, by UUID
)

// An Unused symbol file was given, and is of no module's build.
type Unused struct {
	File   string `json:"file"`
	ID     string `json:"id"`               // "" if it does not say which build it is of
	Module *int   `json:"module,omitempty"` // index into Modules: the one that it is of another build of; nil for none
	Wanted string `json:"wanted,omitempty"` // the ID of that module
}
