package render

import (
	"fmt"
	"strings"

	"crashglass/core/report"
)

func (h htmler) modules() {
	h.folded("Modules", len(h.r.Modules), func() {
		h.table([]string{"Range", "Module", "Version", "Debug file", "Debug ID", "Symbols"}, func(row func(...string)) {
			for i := range h.r.Modules {
				m := &h.r.Modules[i]
				row(string(m.Base)+" - "+string(m.End), m.CodeFile, report.Text(m.Version), m.DebugFile, m.DebugID, symbolState(m.Symbols))
			}
		})
	})
	h.folded("Unloaded modules", len(h.r.Unloaded), func() {
		h.table([]string{"Range", "Module", "Code ID"}, func(row func(...string)) {
			for i := range h.r.Unloaded {
				m := &h.r.Unloaded[i]
				row(string(m.Base)+" - "+string(m.End), m.CodeFile, m.CodeID)
			}
		})
	})
}

// symbolState describes a module's symbols: "wrong build: app.pdb (the reason)". It is "" if they
// were not looked up.
func symbolState(s *report.Symbols) string {
	if s == nil {
		return ""
	}
	out := strings.ReplaceAll(s.State, "_", " ")
	if s.File != nil {
		out += ": " + *s.File
	}
	if s.Why != nil {
		out += " (" + *s.Why + ")"
	}
	for _, f := range s.Local {
		out += "; " + f.File + " is from this machine, " + placed(f)
	}
	return out
}

// regions writes the memory map. "In the dump" marks captured memory.
func (h htmler) regions() {
	h.folded("Memory map", len(h.r.MemoryRegions), func() {
		h.table([]string{"Base", "Size", "Access", "Kind", "Name", "In the dump"}, func(row func(...string)) {
			for i := range h.r.MemoryRegions {
				m := &h.r.MemoryRegions[i]
				row(string(m.Base), string(m.Size), m.Protection, strings.TrimSpace(m.State+" "+m.Kind), m.Name, yes(m.Captured))
			}
		})
	})
}

// yes marks a cell of a table; the other cells stay empty, which is easier to scan than a column of
// "no".
func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// attached writes the annotations of the program, its crash reporter and the system.
func (h htmler) attached() {
	h.folded("Handles", len(h.r.Handles), func() {
		h.table([]string{"Handle", "Type", "Name"}, func(row func(...string)) {
			for i := range h.r.Handles {
				x := &h.r.Handles[i]
				row(fmt.Sprintf("%#x", x.Handle), report.Text(x.TypeName), report.Text(x.ObjectName))
			}
		})
	})
	for _, f := range h.r.LinuxFiles {
		h.folded(f.Name, len(f.Text), func() { h.printf("<pre>%s</pre>\n", lines(f.Text)) })
	}
	if mac := h.r.MacCrashInfo; mac != nil {
		h.section("Crash messages of macOS", len(mac.Records), func() {
			h.table([]string{"Module", "Message", "Signature"}, func(row func(...string)) {
				for i := range mac.Records {
					m := &mac.Records[i]
					row(report.Text(m.Module), strings.TrimSpace(report.Text(m.Message)+" "+report.Text(m.Message2)), report.Text(m.Signature))
				}
			})
		})
	}
}

// streams writes the directory of the dump with the reason why a stream was not read.
func (h htmler) streams() {
	h.folded("Streams", len(h.r.Streams), func() {
		h.table([]string{"Type", "Name", "Offset", "Size", "Error"}, func(row func(...string)) {
			for i := range h.r.Streams {
				s := &h.r.Streams[i]
				row(fmt.Sprintf("%#x", s.Type), s.Name, fmt.Sprintf("%#x", s.Offset), fmt.Sprint(s.Size), report.Text(s.Error))
			}
		})
	})
}

func (h htmler) memory() {
	for _, m := range h.opt.Memory {
		h.folded("Memory: "+m.Title, len(m.Bytes), func() {
			h.printf("<pre>")
			for off := 0; off < len(m.Bytes); off += 16 {
				h.hexLine(m.Base+uint64(off), m.Bytes[off:min(off+16, len(m.Bytes))])
			}
			h.printf("</pre>\n")
		})
	}
}

// hexLine writes up to 16 bytes as hexdump -C does. The column of 47 characters is that of 16 bytes
// with spaces between them.
func (h htmler) hexLine(addr uint64, data []byte) {
	ascii := make([]byte, len(data))
	for i, c := range data {
		ascii[i] = '.'
		if c >= ' ' && c <= '~' {
			ascii[i] = c
		}
	}
	h.printf("%016x  %-47s  %s\n", addr, fmt.Sprintf("% x", data), esc(string(ascii)))
}
