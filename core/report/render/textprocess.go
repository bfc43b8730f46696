package render

import (
	"encoding/json"
	"slices"
	"strings"

	"crashglass/core/report"
)

// process writes the facts of the process other than its threads.
func (t texter) process() {
	r := t.r
	if r.PID != nil {
		t.printf("Process ID: %d\n", *r.PID)
	}
	if up := r.ProcessUptime; up != nil {
		t.printf("Process uptime: %d %s\n", *up, plural(*up, "second", "seconds"))
	} else {
		t.printf("Process uptime: not available\n")
	}
	if r.MapCount != nil {
		t.printf("Linux memory map count: %d\n", *r.MapCount)
	}
	if r.MacBootArgs != nil {
		t.printf("Mac Boot Args: %s\n", text(r.MacBootArgs))
	}
}

// macCrash writes the messages that libraries of macOS left for crash reports.
func (t texter) macCrash() {
	if t.r.MacCrashInfo == nil {
		return
	}
	t.printf("Mac Crash Info:\n")
	for i := range t.r.MacCrashInfo.Records {
		t.printf("  Record %d\n", i)
		for _, f := range macFields(&t.r.MacCrashInfo.Records[i]) {
			if f.value != "" {
				t.printf("    %s: %s\n", f.name, f.value)
			}
		}
	}
}

// A macField is a field of a macOS record, as rust-minidump names it.
type macField struct{ name, value string }

// macFields returns all fields of a record in rust-minidump's order; the values of unset ones are
// "".
func macFields(m *report.MacCrashRecord) []macField {
	address := func(a *report.Address) string {
		if a == nil {
			return ""
		}
		return string(*a)
	}
	return []macField{
		{"thread", address(m.Thread)},
		{"dialog mode", address(m.DialogMode)},
		{"abort cause", address(m.AbortCause)},
		{"module", text(m.Module)},
		{"message", text(m.Message)},
		{"signature string", text(m.Signature)},
		{"backtrace", text(m.Backtrace)},
		{"message2", text(m.Message2)},
	}
}

func (t texter) annotations() {
	if len(t.r.Annotations) > 0 {
		t.printf("\nAnnotations:\n")
	}
	for _, a := range t.r.Annotations {
		if a.Module != nil {
			t.printf("%s: ", text(a.Module))
		}
		t.printf("%s = %s\n", Escape(a.Name), Escape(a.Value))
	}
	if t.r.SoftErrors == nil {
		return
	}
	if b, err := json.Marshal(t.r.SoftErrors); err == nil && len(b) > len("[]") {
		t.printf("\nSoft errors when the dump was written:\n%s\n", Escape(string(b)))
	}
}

// wanted writes the symbol files that would name more frames, the most useful first, and the commands that download them.
func (t texter) wanted() {
	if len(t.r.WantedSymbols) == 0 {
		return
	}
	t.printf("\nSymbols that would help:\n")
	sh, lines := shellFor(t.r), []string{}
	for i := range t.r.WantedSymbols {
		t.wantedLine(&t.r.WantedSymbols[i])
		if line := sh.download(&t.r.WantedSymbols[i]); line != "" {
			lines = append(lines, line)
		}
	}
	defer t.servers()
	if len(lines) == 0 {
		return
	}
	own := ""
	if slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, `"`) }) {
		own = "set " + sh.set + " to the address of your symbol server and "
	}
	t.printf("To download them, run crashglass fetch with this dump. Or %srun:\n", own)
	for _, line := range lines {
		t.printf("    %s\n", line)
	}
}

// wantedFile names a wanted file and its build: the library, if the dump does not name its debug file, as dumps that Wine writes.
func wantedFile(w *report.Wanted) (name, id string) {
	if w.DebugFile == "" && w.CodeFile != "" {
		return w.CodeFile, w.CodeID
	}
	return w.DebugFile, w.DebugID
}

func (t texter) wantedLine(w *report.Wanted) {
	name, id := wantedFile(w)
	t.printf("%s  %s  (%d %s)\n", Escape(name), Escape(id), w.Frames, plural(uint64(w.Frames), "frame", "frames"))
}

func (t texter) notes() {
	if len(t.r.Notes) > 0 {
		t.printf("\nNotes:\n")
	}
	for _, n := range t.r.Notes {
		t.printf("%s", Escape(n.Where))
		if n.Offset != nil {
			t.printf(" at %#x", *n.Offset)
		}
		t.printf(": %s", Escape(n.Text))
		if n.Count > 1 {
			t.printf(" (%d times)", n.Count)
		}
		t.printf("\n")
	}
}
