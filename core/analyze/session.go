package analyze

import (
	"cmp"
	"fmt"

	"crashglass/core/bin"
	"crashglass/core/container"
	"crashglass/core/cpu"
	"crashglass/core/crash"
	"crashglass/core/minidump"
	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/snapshot"
)

// A Session is an open dump. Its streams are read once, and any number of reports can be made of
// it. It must not be used by two goroutines at once.
type Session struct {
	file  *snapshot.Snapshot
	notes notes

	sys   *minidump.SystemInfo // nil when missing
	arch  *cpu.Arch            // nil when unknown
	os    string               // as package unwind names it
	width int                  // of an address, in bytes

	threads   []minidump.Thread
	names     map[uint32]string
	contexts  map[int]*minidump.Context // names of threads, if they were readable
	exception *minidump.Exception       // nil when there was none
	crashed   *minidump.Context         // the exception's, nil when there is none
	breakpad  minidump.BreakpadInfo

	// asked is the thread that crashed or, failing that, requested the dump; -1 when neither is
	// known.
	asked int

	modules  *module.Map
	unloaded []module.Module
	unloadedMap
	memory   *minidump.Memory
	regions  []region
	runnable []bool // by module: at least one page is executable

	message string      // the message with which the program ended itself
	check   crash.Check // the kind of check behind that message
	listed  []string    // paths in the module list, those of unusable entries included

	base report.Report // the facts that do not depend on symbols
}

// Open reads the streams of a dump. It fails when the file is no minidump; every other defect
// becomes a note.
func Open(src bin.Source) (*Session, error) {
	f, err := minidump.Open(src)
	if err != nil {
		return nil, err
	}
	return newSession(snapshot.Of(f)), nil
}

// OpenAll opens a file of any kind that holds dumps, such as an ELF core or a log with several
// microdumps. The dumps are in the order of the file.
func OpenAll(src bin.Source) ([]*Session, error) {
	files, err := container.OpenAll(src)
	if err != nil {
		return nil, err
	}
	sessions := make([]*Session, len(files))
	for i, f := range files {
		sessions[i] = newSession(f)
	}
	return sessions, nil
}

// newSession reads the parts of a dump that all reports share. Each part is a stage of its own, so
// that damage in one leaves the others readable.
func newSession(f *snapshot.Snapshot) *Session {
	s := &Session{file: f, contexts: map[int]*minidump.Context{}, asked: -1, modules: module.NewMap(nil), memory: &minidump.Memory{}}
	s.base.Status = "OK"
	s.notes.damage(f.Damage())
	for _, stage := range []struct {
		what string
		read func()
	}{
		{"system info", s.readSystem}, {"module list", s.readModules}, {"thread list", s.readThreads}, {"memory", s.readMemory},
		{"memory regions", s.readRegions}, {"memory regions", s.findRunnable}, {"dump", func() { s.base = s.facts() }},
		{"dump", s.noteTruncated}, {"dump", s.checkUnshown},
	} {
		s.notes.stage(stage.what, stage.read)
	}
	return s
}

// readSystem determines the CPU, which everything else depends on.
func (s *Session) readSystem() {
	s.sys = keep(&s.notes, s.file.SystemInfo)
	if s.sys == nil {
		s.notes.odd("system info", "is missing: the operating system is not known, the CPU only by the saved registers")
		return
	}
	s.os = osWord(s.sys.Platform)
	s.setArch(s.sys.Processor.Arch())
}

// setArch sets the CPU and the width of addresses; nil leaves both unknown.
func (s *Session) setArch(a *cpu.Arch) {
	if a != nil {
		s.arch, s.width = a, a.Word
	}
}

// osWord returns the operating system as packages unwind and crash name it.
func osWord(p minidump.Platform) string {
	switch {
	case p.IsWindows() || p == minidump.PlatformWin32s || p == minidump.PlatformWinCE:
		return "windows"
	case p == minidump.PlatformMac:
		return "mac"
	case p == minidump.PlatformIOS:
		return "ios"
	case p == minidump.PlatformLinux:
		return "linux"
	case p == minidump.PlatformAndroid:
		return "android"
	case p == minidump.PlatformSolaris:
		return "solaris"
	case p == minidump.PlatformNaCl:
		return "nacl"
	case p == minidump.PlatformFuchsia:
		return "fuchsia"
	}
	return ""
}

// readModules reads the lists of modules. It drops a module without a size, or one that wraps
// around the end of the address space. rust-minidump drops such an entry, too, and Breakpad the
// whole list.
func (s *Session) readModules() {
	var mods []module.Module
	for _, m := range keep(&s.notes, s.file.Modules) {
		if s.lacks(snapshot.CodeIDs) {
			m.CodeID = ""
		}
		s.listed = append(s.listed, m.CodeFile)
		if m.Size == 0 || m.Size > ^uint64(0)-m.Base {
			s.notes.odd("module list", fmt.Sprintf("%s has the impossible range of %#x bytes at %#x and is left out", cmp.Or(inNote(m.Name()), "a module without a name"), m.Size, m.Base))
			continue
		}
		if s.arch != nil {
			m.Arch = s.arch.Name
		}
		mods = append(mods, m)
	}
	extendToMappings(mods, keep(&s.notes, s.file.LinuxMaps))
	s.modules = module.NewMap(mods)
	s.unloaded = keep(&s.notes, s.file.UnloadedModules)
	s.unloadedMap = newUnloadedMap(s.unloaded)
}

// readMemory indexes the captured memory. The index reports only the first defect of three lists,
// so each list is also read for its own defects.
func (s *Session) readMemory() {
	keep(&s.notes, s.file.MemoryList)
	keep(&s.notes, s.file.Memory64List)
	s.memory = keep(&s.notes, s.file.Memory)
}

// listedName is the name of the entry of the module list with that number.
func (s *Session) listedName(index uint32) string {
	if uint64(index) >= uint64(len(s.listed)) {
		return fmt.Sprintf("module %d", index)
	}
	return module.Basename(s.listed[index])
}

// readThreads reads the threads, and finds the one that crashed or requested the dump.
func (s *Session) readThreads() {
	s.threads = keep(&s.notes, s.file.Threads)
	s.names = keep(&s.notes, s.file.ThreadNames)
	if info := keep(&s.notes, s.file.BreakpadInfo); info != nil {
		s.breakpad = *info
	}
	s.exception = keep(&s.notes, s.file.Exception)
	if s.exception != nil {
		s.crashed = s.context(s.exception.Context, "exception")
		s.asked = s.threadIndex(s.exception.ThreadID)
		s.addCrashed()
	} else if id := s.breakpad.RequestingThread; id != nil {
		s.asked = s.threadIndex(*id)
	}
	if len(s.threads) == 0 {
		s.notes.odd("thread list", "no threads and no registers were saved, so that there are no stacks")
	}
	if s.arch == nil && s.crashed != nil {
		s.setArch(s.crashed.Arch)
	}
	for i := 0; s.arch == nil && i < len(s.threads); i++ {
		if c := s.threadContext(i); c != nil {
			s.setArch(c.Arch)
		}
	}
}

// addCrashed adds the crashed thread to a list without it, with the registers of the exception.
// LLDB writes i386 dumps without a thread list.
func (s *Session) addCrashed() {
	if s.asked >= 0 || s.crashed == nil {
		return
	}
	s.notes.odd("thread list", fmt.Sprintf("does not have thread %d, which crashed; its registers are those of the exception", s.exception.ThreadID))
	s.asked = len(s.threads)
	s.threads = append(s.threads, minidump.Thread{ID: s.exception.ThreadID, Context: s.exception.Context})
}

// threadIndex finds a thread, or -1. Of two with one id the later one counts,
// as in rust-minidump.
func (s *Session) threadIndex(id uint32) int {
	for i := len(s.threads) - 1; i >= 0; i-- {
		if s.threads[i].ID == id {
			return i
		}
	}
	return -1
}

// context reads registers, or returns nil.
func (s *Session) context(loc minidump.Location, whose string) *minidump.Context {
	if loc.Size == 0 {
		return nil
	}
	c, err := s.file.Context(loc, s.sys)
	s.notes.damage(err)
	for _, n := range c.Notes {
		s.notes.odd("context of the "+whose, n)
	}
	if err != nil && c.Arch == nil {
		return nil
	}
	return &c
}

// threadContext returns the registers to walk a thread from. For the crashed thread these are the
// exception's, because its own are often those of the crash handler.
func (s *Session) threadContext(i int) *minidump.Context {
	if i == s.asked && s.crashed != nil {
		return s.crashed
	}
	c, ok := s.contexts[i]
	if !ok {
		c = s.context(s.threads[i].Context, "thread "+fmt.Sprint(s.threads[i].ID))
		s.contexts[i] = c
	}
	return c
}

// wroteDump reports whether a thread wrote the dump and did not crash itself.
func (s *Session) wroteDump(i int) bool {
	id := s.breakpad.DumpThread
	return id != nil && *id == s.threads[i].ID && i != s.asked
}

// addr formats an address of the dump.
func (s *Session) addr(v uint64) report.Address {
	if s.width == 0 {
		return report.Addr(v, 8)
	}
	return report.Addr(v, s.width)
}
