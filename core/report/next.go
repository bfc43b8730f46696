package report

// A NextStep is a step to take about the crash, as data: package next makes it, and package render
// has the sentence.
type NextStep struct {
	Kind     NextKind `json:"kind"`
	Module   *int     `json:"module,omitempty"`   // index into Modules
	File     string   `json:"file,omitempty"`     // of "get_symbols" and "get_code": its name
	ID       string   `json:"id,omitempty"`       // of that file: its build ID, UUID or debug ID
	State    string   `json:"state,omitempty"`    // of "get_symbols": as Symbols.State
	Split    []string `json:"split,omitempty"`    // of "get_symbols": as Symbols.Split, which are wanted in place of File
	Origin   Origin   `json:"origin,omitempty"`   // of "get_symbols": the source of the file
	Server   string   `json:"server,omitempty"`   // the symbol server of Origin
	Thread   *int     `json:"thread,omitempty"`   // index into Threads
	Row      *int     `json:"row,omitempty"`      // of that thread's stack; inlined calls have rows of their own
	Function string   `json:"function,omitempty"` // in that row, or module + offset
	At       string   `json:"at,omitempty"`       // its source line
	Register string   `json:"register,omitempty"` // of the thread, with the base of the bad address
	Value    *Address `json:"value,omitempty"`    // of Register
	Variable string   `json:"variable,omitempty"` // of the program, with that value
	Vendor   string   `json:"vendor,omitempty"`   // maker of Module; "" when unknown
	Path     string   `json:"path,omitempty"`     // of Module, if Vendor is unknown
	// Functions are those of "compare_locks", "compare_waits" and "relock"; Locks are what they wait for, as the program names it.
	Functions []string `json:"functions,omitempty"`
	Locks     []string `json:"locks,omitempty"`
	Text      string   `json:"text"` // the same as one sentence, which package render writes
}

// A NextKind is the kind of a step.
type NextKind string

// The kinds.
const (
	GetDump      NextKind = "get_dump"      // the file is truncated: copy it again
	GetSymbols   NextKind = "get_symbols"   // of Module: its code has no names
	GetCode      NextKind = "get_code"      // the dump lacks the failed instruction; the file of Module has it
	LookAt       NextKind = "look_at"       // the code at Row of Thread
	CompareLocks NextKind = "compare_locks" // Functions wait for locks that the others hold
	CompareWaits NextKind = "compare_waits" // Functions wait for each other, not only for locks
	Relock       NextKind = "relock"        // Functions, which is one, waits for what its own thread holds or does
	TellVendor   NextKind = "tell_vendor"   // Module is neither the program's nor the system's
	CheckMemory  NextKind = "check_memory"  // a bit of an address is wrong: test the machine's memory
	UpdateDriver NextKind = "update_driver" // Module, a driver, is where the kernel stopped
	CheckDisk    NextKind = "check_disk"    // a faulty disk is a known cause of the bug check
	CheckDevice  NextKind = "check_device"  // the hardware reported the error, or does not respond
	KernelDump   NextKind = "kernel_dump"   // the dump is a small one, which does not show the driver
	RunSanitizer NextKind = "run_sanitizer" // the defect happened earlier: AddressSanitizer, or page heap, stops there
)

// An Origin is a source of symbols.
type Origin string

// The origins.
const (
	FromBuild     Origin = "build"     // the folder of the build
	FromMicrosoft Origin = "microsoft" // and the three below: a public symbol server
	FromMozilla   Origin = "mozilla"
	FromChromium  Origin = "chromium"
	FromElectron  Origin = "electron"
	FromDistro    Origin = "distribution" // debuginfod, or a package with debug symbols
	FromMac       Origin = "mac"          // a Mac with the same version: Apple publishes none
	FromDevice    Origin = "device"       // a device with the same build of Android
)
