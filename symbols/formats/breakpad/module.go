package breakpad

import (
	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
)

// A Module identifies the module that a file describes. Every field may be empty.
type Module struct {
	OS, Arch string // as written: "Linux", "x86_64"
	ID       string // GUID and age, 33 hex digits or more
	Name     string // debug file, without folders
	CodeID   string // of INFO CODE_ID
	CodeFile string // of INFO CODE_ID
}

// ArchWord returns dump_syms' word for a CPU in a MODULE record. It is the name in package cpu but
// for amd64: Breakpad takes its words from the object format's.
//
// Source: src/common/linux/dump_symbols.cc, ElfArchitecture
func ArchWord(arch string) string {
	if cpu.ByName(arch).IsAMD64() {
		return "x86_64"
	}
	return arch
}

// identityLimit is how many units Identify reads. MODULE is the first record, and INFO follows it.
const identityLimit = 16 << 10

// Identify returns the module in the first records of a file, and whether the file is UTF-16. It
// reads little and keeps nothing, so that a folder of thousands of files can be searched.
func Identify(src bin.Source) (m Module, utf16 bool, err error) {
	t, err := newText(src)
	if err != nil {
		return m, false, err
	}
	r := t.linesFrom(0, identityLimit)
	for known := false; ; {
		line, _, ok := r.next()
		k, rest := kindOf(line)
		if !ok || k != kindModule && k != kindInfo && k != kindNone {
			return m, t.unit == 2, r.err
		}
		switch {
		case k == kindModule && !known:
			known = m.parse(rest)
		case k == kindInfo && m.CodeID == "":
			m.parseInfo(rest)
		}
	}
}

// parse reads the fields after MODULE: os arch id name.
func (m *Module) parse(rest []byte) (ok bool) {
	f := fieldsOf(rest)
	m.OS, m.Arch, m.ID, m.Name = string(f.word()), string(f.word()), string(f.word()), string(f.rest())
	return !f.bad
}

// parseInfo reads the fields after INFO, if they are CODE_ID id [name].
func (m *Module) parseInfo(rest []byte) (ok bool) {
	f := fieldsOf(rest)
	if !f.flag("CODE_ID") {
		return false
	}
	m.CodeID, m.CodeFile = string(f.word()), string(f.rest())
	return true
}

// readModule reads the records that identify the file.
func (f *File) readModule() error {
	if at := f.x.module; at >= 0 {
		line, err := f.lineAt(at)
		if err != nil {
			return err
		}
		k, rest := kindOf(line)
		f.doubt(k == kindModule)
		if !f.module.parse(rest) {
			f.notes.addLate("MODULE is malformed", f.t.offset(at))
		}
	}
	if at := f.x.codeID; at >= 0 {
		line, err := f.lineAt(at)
		if err != nil {
			return err
		}
		k, rest := kindOf(line)
		f.doubt(k == kindInfo)
		f.module.parseInfo(rest)
	}
	return nil
}

// lineAt reads the line at a unit offset, which the scan has found. With a saved index it also
// reads the end of the previous line.
func (f *File) lineAt(at int64) ([]byte, error) {
	if !f.saved || at == 0 {
		r := f.t.linesFrom(at, f.t.size())
		line, _, _ := r.next()
		return line, r.err
	}
	r := f.t.linesFrom(at-1, f.t.size())
	_, from, _ := r.next()
	f.doubt(from == at-1 && r.at == at)
	line, _, _ := r.next()
	return line, r.err
}
