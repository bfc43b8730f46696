// Package exidx reads the exception index of 32-bit ARM images (.ARM.exidx and .ARM.extab). For an
// address it answers with call frame rules. System libraries for ARM often have no other
// description of their frames.
//
//	table, err := exidx.Open(exidx.Sections{Exidx: ..., Extab: ..., Base: 0})
//	frame, ok := table.CallFrame(rel)
//	// frame.Rules: .cfa: sp 16 +, .ra: .cfa -4 + ^, r4: .cfa -16 + ^
//
// The index describes only the body of a function, which suffices for exceptions. It does not
// describe prologues and epilogues, so answers are marked as valid at calls
// (unwind.CallFrame.AtCalls).
//
// The entry EXIDX_CANTUNWIND gives no rule and does not end the stack. It only states that no
// exception may pass, and linkers write it for all code that was compiled without tables: 218 of
// the 817 entries of Debian's glibc 2.36 have it, also entries of functions that call others. The
// instruction "refuse to unwind" gives no rule either.
//
// Damaged parts have no rules, and a note says where. An unsorted index is not used at all, since
// an entry ends where the next one begins. The first lookup reads the whole index, and nothing
// else.
//
// It does not read the data of language personalities after the instructions.
//
// Read index.go after this file, then machine.go, which runs instructions.
//
// Source: Exception Handling ABI for the Arm Architecture, 2023Q3, sections 6
// (index), 7 (entries), 10.3 (instructions).
package exidx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/tables/cfi"
)

// Sections are the sections of the index.
type Sections struct {
	Exidx, Extab cfi.Section

	Base  uint64           // the address that is 0 in questions and answers
	End   uint64           // where the code ends, and with it the last entry; 0 when not known
	Order binary.ByteOrder // of data
}

// A Table answers questions about call frames. It is safe for several goroutines.
type Table struct {
	s Sections

	mu    sync.Mutex
	read  bool
	index []byte // of whole entries, checked

	notes bin.Notes
}

// Open reads nothing yet.
func Open(s Sections) (*Table, error) {
	if s.Exidx.Data.Size() < entrySize {
		return nil, fmt.Errorf("exidx: .ARM.exidx has %d bytes, and an entry %d", s.Exidx.Data.Size(), entrySize)
	}
	if s.Order == nil {
		s.Order = binary.LittleEndian
	}
	return &Table{s: s, notes: bin.Notes{Limit: 32}}, nil
}

// CallFrame returns the rules of the function at an address. They are valid from the end of its
// prologue to the beginning of its epilogue.
func (t *Table) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	index := t.entries()
	addr := t.s.Base + rel
	if addr < rel || addr > 0xffff_ffff || len(index) == 0 {
		return unwind.CallFrame{}, false
	}
	i := t.find(index, uint32(addr))
	if i < 0 {
		return unwind.CallFrame{}, false
	}
	start, size := t.extent(index, i)
	if addr-start >= size {
		return unwind.CallFrame{}, false
	}
	rules, _ := t.rules(index, i)
	if rules == nil {
		return unwind.CallFrame{}, false
	}
	return unwind.CallFrame{Start: start - t.s.Base, Size: size, Rules: rules, AtCalls: true, From: ".ARM.exidx"}, true
}

// EachCallFrame lists the rules of all code that has any, in the order of addresses. Symbol files
// cannot state that these rules are valid only at calls.
func (t *Table) EachCallFrame(add func(*unwind.CallFrameTable) error) error {
	index, work := t.entries(), bin.NewBudget(leastWork+workPerByte*min(t.s.Exidx.Data.Size()+t.s.Extab.Data.Size(), 1<<40))
	for i := range len(index) / entrySize {
		start, size := t.extent(index, i)
		if size == 0 {
			continue
		}
		rules, ran := t.rules(index, i)
		if !work.Spend(int64(ran)) {
			t.note(errWork)
			return nil
		}
		if rules != nil {
			if err := add(&unwind.CallFrameTable{Start: start - t.s.Base, Size: size, Rules: rules}); err != nil {
				return err
			}
		}
	}
	return nil
}

// rules returns the rules of an entry, or nil, and the number of bytes of its instructions.
func (t *Table) rules(index []byte, i int) (rules []unwind.Rule, ran int) {
	code, err := t.instructions(index, i)
	if err != nil {
		t.note(err)
		return nil, 0
	}
	if code == nil {
		return nil, 0
	}
	rules, err = run(code)
	if err != nil {
		t.note(fmt.Errorf("exidx: .ARM.exidx entry at %#x: %w", i*entrySize, err))
	}
	return rules, len(code)
}

// Notes returns the damage found so far, one sentence each.
func (t *Table) Notes() []string {
	out, _ := t.notes.List()
	return out
}

func (t *Table) note(err error) { t.notes.Add(err.Error()) }

// Entries of the index may share instructions in the table, or lead into the
// middle of others. So the bytes that are run for a list are counted; compilers
// have one of them for each two bytes of both sections, at most.
const (
	leastWork   = 1 << 16
	workPerByte = 4
)

// errWork is the note when a list ends early.
var errWork = errors.New("exidx: entries share so many instructions that those left are not listed")
