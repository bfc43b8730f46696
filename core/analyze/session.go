package analyze

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/cause/crash"
	"crashglass/core/dump/container"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/runtimes"
)

// A Session is an open dump. Its process is read once, and any number of reports can be made of
// it. It must not be used by two goroutines at once.
type Session struct {
	dump  container.Dump
	p     *process.Process
	notes notes

	os    process.OS
	width int // of an address, in bytes

	modules *module.Map
	unloadedMap
	runnable []bool // by module: at least one page is executable

	found map[string]*runtimes.Found // by the names of runtimes, once they are searched

	message string // the message with which the program ended itself

	base report.Report // the facts that do not depend on symbols
}

// Open opens a minidump. It fails when the file is none; every other defect
// becomes a note.
func Open(src bin.Source) (*Session, error) {
	f, err := minidump.Open(src)
	if err != nil {
		return nil, err
	}
	return newSession(container.Minidump(f)), nil
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

// Hash is the dump's hash as reports have it, or "" if the file could not be read.
func (s *Session) Hash() string { return s.p.Hash }

// newSession prepares the parts of a dump that all reports share.
func newSession(d container.Dump) *Session {
	s := &Session{dump: d, p: d.Process, os: d.Process.OS(), modules: module.NewMap(nil), found: map[string]*runtimes.Found{}}
	s.base.Status = "OK"
	if s.p.Arch != nil {
		s.width = s.p.Arch.Word
	}
	for _, n := range s.p.Notes {
		s.notes.file(n)
	}
	for _, stage := range []struct {
		what string
		read func()
	}{
		{"module list", s.indexModules}, {"memory regions", s.findRunnable}, {"dump", func() { s.base = s.facts() }},
	} {
		s.notes.stage(stage.what, stage.read)
	}
	return s
}

func (s *Session) indexModules() {
	s.modules = module.NewMap(s.p.Modules)
	s.unloadedMap = newUnloadedMap(s.p.Unloaded)
}

func (s *Session) addr(v uint64) report.Address {
	if s.width == 0 {
		return report.Addr(v, 8)
	}
	return report.Addr(v, s.width)
}

// fileState describes how much of the dump exists. The verdict uses it for a dump without a cause.
func (s *Session) fileState() crash.File {
	f := crash.File{Size: s.p.Origin.Size, Need: s.p.Origin.Need, Threads: len(s.p.Threads), System: s.p.System != nil, Writer: s.p.Writer}
	if f.Need == 0 {
		if f.Defect = s.p.Defect; f.Defect == "" {
			f.Defect = s.firstDefect()
		}
	}
	return f
}

// firstDefect returns the first note with an offset. Notes without one are about information that
// the writer left out.
func (s *Session) firstDefect() string {
	for _, n := range s.notes.all() {
		if n.Offset != nil {
			return fmt.Sprintf("%s at %#x: %s", n.Where, *n.Offset, n.Text)
		}
	}
	return ""
}
