// Package cfi reads DWARF's call frame information: the sections .eh_frame (with the search table
// in .eh_frame_hdr) and .debug_frame of ELF, Mach-O and MinGW images. For an address it answers
// with the call frame rules, which it can write in the language of Breakpad's STACK CFI records.
//
//	table, err := cfi.Open(cfi.Sections{
//		EHFrame: cfi.Section{Data: data, Addr: 0x2048},
//		Base: 0, Arch: "amd64", Word: 8, Order: binary.LittleEndian,
//	}, cfi.Options{})
//	frame, ok := table.CallFrame(rel)
//	// frame.Rules: .cfa: $rsp 16 +, .ra: .cfa -8 + ^, $rbx: .cfa -16 + ^
//
// The first lookup reads the search table, if there is one and it is sorted. Otherwise it visits
// all entries once and keeps only their offsets. An entry that the search table leads to must begin
// at the address in the table.
//
// Damaged parts have no rules, and a note says where: an entry that refers to no valid CIE (the
// record that entries share), a program after an unknown instruction, a row whose CFA cannot be
// computed. A register whose rule postfix cannot express becomes unknown (.undef), and not
// unchanged. If entries overlap the last to begin is used, and a note says so.
//
// It does not find sections, does not decompress them, and does not read
// exception tables (the L and P of an augmentation are stepped over).
//
// Read this file first, then cie.go and entry.go, then hdr.go and index.go, which find the
// entry of an address; program.go and step.go run it, expr.go and rules.go make rules of it.
//
// Sources: DWARF 5, sections 6.4 and 7.24; Linux Standard Base Core 5.0,
// chapter 10.6; the ABIs of the CPUs for their registers; System V ABI for
// AArch64 for pointer authentication.
package cfi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/base/recent"
	"crashglass/core/machine/cpu"
	"crashglass/core/stack/unwind"
)

// A Section has a section's decompressed bytes and its address in the file's address space. The
// zero value is a missing section.
type Section struct {
	Data bin.Source
	Addr uint64
}

// Sections are the sections of call frame information.
type Sections struct {
	EHFrame, EHFrameHdr, DebugFrame Section

	Base uint64 // the address that is 0 in queries and answers
	Text uint64 // where the code section begins; 0 when not known
	Got  uint64 // where the global offset table begins; 0 when not known

	Arch  string // core/machine/cpu's name of the CPU
	Word  int    // bytes of an address: 4 or 8
	Order binary.ByteOrder

	// Mac says that the file is a Mach-O one: its __eh_frame has ebp and esp
	// of x86 the other way round.
	Mac bool
}

// Options are the options of Open.
type Options struct {
	// Search reads only the part of the search table that an address needs, if that finds an entry
	// which covers the address.
	Search bool

	// Progress is told how many bytes have been visited when there is no search table. Its error
	// ends the visit; the next lookup begins again.
	Progress func(done, total int64) error
}

// A Table answers queries about call frames. It is safe for several goroutines.
type Table struct {
	s     Sections
	opt   Options
	arch  *cpu.Arch       // nil for an unknown one
	names []string        // of registers, by DWARF's numbers
	parts []*entrySection // in the order in which they are asked
	notes bin.Notes

	frames recent.Shared[uint64, answer]
	exprs  recent.Shared[compiled, translation]
}

// maxCached is how many answers a cache keeps. A stack has fewer frames that matter.
const maxCached = 512

type entrySection struct {
	t    *Table
	name string // ".eh_frame"
	eh   bool
	Section

	pages *bin.Pager // of Data
	cies  recent.Shared[int64, *cie]

	mu      sync.Mutex
	scanned *ranges.Table // of all entries
	headed  *ranges.Table // from the search table
	list    *headerList   // the same, not read
	noHead  bool          // there is no search table, or it is not to be used
}

// Open checks that the CPU is known. It reads nothing.
func Open(s Sections, opt Options) (*Table, error) {
	names, ok := registers[s.Arch]
	if !ok {
		return nil, fmt.Errorf("cfi: nothing is known about the registers of CPU %q", s.Arch)
	}
	if s.Word != 4 && s.Word != 8 {
		return nil, fmt.Errorf("cfi: an address of %d bytes, want 4 or 8", s.Word)
	}
	if s.Order == nil {
		s.Order = binary.LittleEndian
	}
	t := &Table{s: s, opt: opt, names: names, arch: cpu.ByName(s.Arch), notes: bin.Notes{Limit: maxNotes}}
	t.frames.Limit, t.exprs.Limit = maxCached, maxCached
	for _, p := range []*entrySection{{name: ".eh_frame", eh: true, Section: s.EHFrame}, {name: ".debug_frame", Section: s.DebugFrame}} {
		if p.Data.Size() > 0 {
			p.t, p.cies.Limit, p.pages = t, maxCached, bin.NewPager(p.name, p.Data, maxPagesKept)
			t.parts = append(t.parts, p)
		}
	}
	return t, nil
}

// An answer is a CallFrame, or none.
type answer struct {
	frame unwind.CallFrame
	ok    bool
}

// CallFrame returns the rules in force at an address. If entries of both sections cover it, that of
// .eh_frame is used. If several of one section do, the one that begins last is used, and among entries
// with one start the last in the section.
func (t *Table) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	a, ok := t.frames.Get(rel)
	if !ok {
		a = t.find(rel)
		t.frames.Put(rel, a, 1)
	}
	a.frame.Rules = slices.Clone(a.frame.Rules)
	return a.frame, a.ok
}

func (t *Table) find(rel uint64) answer {
	for _, p := range t.parts {
		if f := p.covering(rel); f != nil {
			return t.answer(f, rel)
		}
	}
	return answer{}
}

// answer runs an entry's program up to an address.
func (t *Table) answer(f *fde, rel uint64) answer {
	addr := t.s.Base + rel
	var rules []unwind.Rule
	ok := false
	m := newMachine(t, f)
	err := m.run(func(row *row, from, to uint64) bool {
		if addr < from || addr >= to {
			return true
		}
		rules, ok = t.rules(nil, f, row)
		return false
	})
	t.note(err)
	if !ok {
		return answer{}
	}
	return answer{ok: true, frame: unwind.CallFrame{
		Start: f.start - t.s.Base, Size: f.size, Rules: rules, Signal: f.cie.signal, Handlers: f.handlers, From: f.part.name,
	}}
}

func (t *Table) mask(v uint64) uint64 {
	if t.s.Word == 4 {
		return v & 0xffff_ffff
	}
	return v
}

// maxNotes is how many notes are kept: a damaged section could have one for each entry.
const maxNotes = 32

func (t *Table) note(err error) {
	if err != nil {
		t.notes.Add(err.Error())
	}
}

// Notes returns the damage found so far, one sentence each.
func (t *Table) Notes() []string {
	out, more := t.notes.List()
	if more > 0 {
		out = append(out, fmt.Sprintf("cfi: %d further defects", more))
	}
	return out
}

// The work of a list is counted: bytes of executed instructions, and the registers of each row. A
// function of 20 bytes runs those of its CIE, which may be a hundred. Compilers write up to two for
// each byte.
const (
	leastWork   = 1 << 18
	workPerByte = 6
)

// errWork is the note when the list ends early.
var errWork = errors.New("cfi: entries share so many rules that those of the functions left are not listed")

func newWork(s Sections) *bin.Budget {
	return bin.NewBudget(leastWork + workPerByte*min(s.EHFrame.Data.Size()+s.DebugFrame.Data.Size(), 1<<40))
}
