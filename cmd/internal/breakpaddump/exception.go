package breakpaddump

import "fmt"

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
