package breakpaddump

import "crashglass/core/dump/minidump"

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
