package microdump

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"crashglass/core/bin"
	"crashglass/core/minidump"
	"crashglass/core/minidump/write"
	"crashglass/core/snapshot"
)

// microOrder is the byte order of stacks and registers: Breakpad's client has
// never run on a big-endian machine.
var microOrder = binary.LittleEndian

// maxMicroNotes bounds the notes of one microdump.
const maxMicroNotes = 64

// A micro is a microdump in progress.
type micro struct {
	Microdump

	system    minidump.SystemInfo
	hasSystem bool
	signal    uint32
	address   uint64
	context   []byte
	contextAt int64
	stack     []chunk
	sp        uint64
	stackSize uint64 // by its first line
	stackAt   int64  // of that line; -1 when there is none
	modules   []minidump.ModuleRecord
	unknown   oddLines
	dropped   int // notes
}

// oddLines counts the lines that are not understood.
type oddLines struct {
	at    int64 // of the first
	first string
	count int
}

func (o *oddLines) add(line logLine, message []byte) {
	if o.count == 0 {
		o.at, o.first = line.start, strings.ToValidUTF8(brief(string(message)), "\ufffd")
	}
	o.count++
}

// A chunk is a piece of the stack without a gap.
type chunk struct {
	base uint64
	data []byte
}

func (m *micro) note(off int64, format string, args ...any) {
	if len(m.Notes) >= maxMicroNotes {
		m.dropped++
		return
	}
	m.Notes = append(m.Notes, &bin.Error{What: "microdump", Off: off, Why: fmt.Sprintf(format, args...)})
}

// snapshot lays a microdump out as a minidump.
func (m *micro) snapshot() (*snapshot.Snapshot, error) {
	w := write.New(minidump.Header{})
	if m.hasSystem {
		w.SystemInfo(&m.system)
	}
	m.writeThread(w)
	m.close()
	if len(m.modules) > 0 {
		w.Modules(m.modules)
	}
	data, err := w.Bytes()
	if err != nil {
		return nil, err
	}
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		return nil, err
	}
	return &snapshot.Snapshot{File: f, Origin: m.origin()}, nil
}

// writeThread writes the crashed thread, its memory and the exception. The
// thread's number is not in a microdump.
func (m *micro) writeThread(w *write.Writer) {
	m.checkContext()
	m.checkStack()
	t := minidump.Thread{Context: w.Put(m.context)}
	var memory []minidump.Range
	for _, c := range m.stack {
		r := minidump.Range{Base: c.base, Location: w.Put(c.data)}
		memory = append(memory, r)
		if t.Stack.Size == 0 || c.base <= m.sp && m.sp-c.base < uint64(len(c.data)) {
			t.Stack = r
		}
	}
	w.Threads([]minidump.Thread{t})
	if len(memory) > 0 {
		w.MemoryList(memory)
	}
	w.Exception(&minidump.Exception{Code: m.signal, Address: m.address, Context: t.Context})
}

// checkContext drops an unreadable context. It records the defect now, because the offset in the
// log is still known.
func (m *micro) checkContext() {
	if len(m.context) == 0 {
		m.note(m.Offset, "the registers are missing")
		return
	}
	var sys *minidump.SystemInfo
	if m.hasSystem {
		sys = &m.system
	}
	if _, err := minidump.DecodeContext(m.context, microOrder, sys); err != nil {
		m.note(m.contextAt, "the registers cannot be read: %v", err)
		m.context = nil
	}
}

// checkStack compares the stack's size with its first line.
func (m *micro) checkStack() {
	var have uint64
	for _, c := range m.stack {
		have += uint64(len(c.data))
	}
	switch {
	case have == 0:
		m.note(m.Offset, "the stack is missing")
	case m.stackAt >= 0 && have < m.stackSize:
		m.note(m.stackAt, "the stack has %d of the %d bytes that it should have", have, m.stackSize)
	}
}

// close records the defects that are known only at the end.
func (m *micro) close() {
	if o := &m.unknown; o.count > 0 {
		m.note(o.at, "%d of its lines are not understood, the first is %q", o.count, o.first)
	}
	if m.dropped > 0 {
		m.Notes = append(m.Notes, &bin.Error{What: "microdump", Off: m.Offset, Why: fmt.Sprintf("%d more defects are left out", m.dropped)})
	}
}
