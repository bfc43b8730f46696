package breakpaddump

import (
	"fmt"

	"crashglass/core/dump/minidump"
)

// threads writes the threads with their contexts and stacks.
//
// Source: minidump.cc, MinidumpThreadList::Print.
func threads(p *printer) {
	sys, _ := p.f.SystemInfo()
	records, err := p.f.Threads()
	list(p, "MinidumpThreadList", "thread", records, err, func(t *minidump.Thread) { p.thread(t, sys) })
}

// thread writes one MINIDUMP_THREAD, its registers and its stack.
//
// Source: minidump.cc, MinidumpThread::Print.
func (p *printer) thread(t *minidump.Thread, sys *minidump.SystemInfo) {
	p.rows("MDRawThread", 27, []row{
		{"thread_id", "0x%x", t.ID},
		{"suspend_count", "%d", int32(t.Suspend)},
		{"priority_class", "0x%x", t.PriorityClass},
		{"priority", "0x%x", t.Priority},
		{"teb", "0x%x", t.TEB},
		{"stack.start_of_memory_range", "0x%x", t.Stack.Base},
		{"stack.memory.data_size", "0x%x", t.Stack.Size},
		{"stack.memory.rva", "0x%x", t.Stack.RVA},
		{"thread_context.data_size", "0x%x", t.Context.Size},
		{"thread_context.rva", "0x%x", t.Context.RVA},
	})
	p.context(t.Context, sys)
	// A stack at offset 0 has its bytes in the 64-bit list, which the original does not read.
	if t.Stack.RVA == 0 || t.Stack.Size == 0 {
		p.text("No stack\n\n")
		return
	}
	p.text("Stack\n")
	p.memory(t.Stack.Location)
	p.text("\n")
}

// threadNames writes the names of threads.
//
// Source: minidump.cc, MinidumpThreadNameList::Print.
func threadNames(p *printer) {
	records, err := p.f.ThreadNameList()
	list(p, "MinidumpThreadNameList", "thread_name", records, err, func(n *minidump.ThreadName) {
		p.rows("MDRawThreadName", 27, []row{
			{"thread_id", "0x%x", n.ID},
			{"thread_name_rva", "0x%x", n.RVA},
			{"thread_name", "%s", quoted(n.Name)},
		})
		p.text("\n")
	})
}

// exception writes MINIDUMP_EXCEPTION_STREAM, with the parameters that the record counts, and the
// context of the crash.
//
// Source: minidump.cc, MinidumpException::Print.
func exception(p *printer) {
	e, _ := p.f.Exception()
	if e == nil {
		return
	}
	rows := []row{
		{"thread_id", "0x%x", e.ThreadID},
		{"exception_record.exception_code", "0x%x", e.Code},
		{"exception_record.exception_flags", "0x%x", e.Flags},
		{"exception_record.exception_record", "0x%x", e.Record},
		{"exception_record.exception_address", "0x%x", e.Address},
		{"exception_record.number_parameters", "%d", len(e.Parameters)},
	}
	for i, v := range e.Parameters {
		rows = append(rows, row{fmt.Sprintf("exception_record.exception_information[%2d]", i), "0x%x", v})
	}
	p.rows("MDException", 42, append(rows,
		row{"thread_context.data_size", "%d", int32(e.Context.Size)},
		row{"thread_context.rva", "0x%x", e.Context.RVA}))
	sys, _ := p.f.SystemInfo()
	p.context(e.Context, sys)
}

// assertion writes MDRawAssertionInfo, which handlers of invalid parameters and pure virtual calls
// fill in.
//
// Source: minidump.cc, MinidumpAssertion::Print.
func assertion(p *printer) {
	a, _ := p.f.Assertion()
	if a == nil {
		return
	}
	p.rows("MDAssertion", 42, []row{
		{"expression", "%s", plain(a.Expression)},
		{"function", "%s", plain(a.Function)},
		{"file", "%s", plain(a.File)},
		{"line", "%d", a.Line},
		{"type", "%d", a.Type},
	})
	p.text("\n")
}
