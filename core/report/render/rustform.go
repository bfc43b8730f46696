package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// rustSystem writes the system as the dump has it. The project's own text omits what LLDB did not
// set, and a count of zero processors; the original writes both.
func rustSystem(o original) {
	s := &o.r.SystemInfo
	o.printf("Operating system: %s\n", cmp.Or(text(s.OS), "unknown"))
	if s.OSVersion != nil {
		o.printf("                  %s\n", text(s.OSVersion))
	}
	o.printf("CPU: %s\n", cmp.Or(text(s.CPU), "unknown"))
	if s.CPUInfo != nil {
		o.printf("     %s\n", text(s.CPUInfo))
	}
	count := uint32(0)
	if s.CPUCount != nil {
		count = *s.CPUCount
	}
	ending := "" // of 0 as well
	if count > 1 {
		ending = "s"
	}
	o.printf("     %d CPU%s\n", count, ending)
	if l := o.r.LSBRelease; l != nil {
		o.printf("Linux %s %s - %s (%s)\n", Escape(l.ID), Escape(l.Release), Escape(l.Codename), Escape(l.Description))
	}
	o.printf("\n")
}

// rustFrame describes a frame by the address of its instruction. Every unloaded module that once had
// the address is listed with its offsets.
func rustFrame(f *report.Frame) string {
	if f.Module != nil || len(f.Unloaded) == 0 {
		return describe(f, "", 0)
	}
	var b strings.Builder
	b.WriteString(short(&f.Offset))
	for _, u := range f.Unloaded {
		offsets := make([]string, len(u.Offsets))
		for i := range u.Offsets {
			offsets[i] = short(&u.Offsets[i])
		}
		fmt.Fprintf(&b, " (unloaded %s@%s)", Escape(u.Module), strings.Join(offsets, "|"))
	}
	return b.String()
}

// rustMac writes the crash information of macOS libraries and the kernel's arguments.
func (o original) rustMac() {
	if mac := o.r.MacCrashInfo; mac != nil {
		o.printf("Mac Crash Info:\n")
		for i := range mac.Records {
			o.printf("  Record %d\n", i)
			o.rustMacRecord(&mac.Records[i])
		}
		o.printf("\n")
	}
	if o.r.MacBootArgs != nil {
		o.printf("Mac Boot Args: %s\n\n", text(o.r.MacBootArgs))
	}
}

// rustMacRecord writes the set fields of a record. The numbers are decimal behind "0x", a mistake of
// the original that a script may rely on (`0x{val}` in ProcessState::print).
func (o original) rustMacRecord(m *report.MacCrashRecord) {
	names := map[string]string{"abort cause": "abort_cause"}
	numbers := map[string]*report.Address{"thread": m.Thread, "dialog mode": m.DialogMode, "abort cause": m.AbortCause}
	for _, f := range macFields(m) {
		if n := numbers[f.name]; n != nil {
			f.value = "0x" + strconv.FormatUint(number(*n), 10)
		}
		if f.value != "" {
			o.printf("    %s: %s\n", cmp.Or(names[f.name], f.name), f.value)
		}
	}
}

// rustSoftErrors writes a list of soft errors that is not empty, indented. The characters that act
// on a terminal are escaped, as in all JSON.
func (o original) rustSoftErrors() {
	var b bytes.Buffer
	enc := json.NewEncoder(SafeJSON(&b))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(o.r.SoftErrors) == nil && b.Len() > len("[]\n") && b.Bytes()[0] == '[' {
		o.printf("\nSoft errors were encountered when minidump was written:\n%s", b.String())
	}
}
