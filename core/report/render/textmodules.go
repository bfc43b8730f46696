package render

import (
	"cmp"
	"fmt"

	"crashglass/core/report"
)

// modules lists the loaded modules by address. The last column has what is wrong with them.
func (t texter) modules() {
	t.printf("\nLoaded modules:\n")
	for _, i := range modulesByAddress(t.r) {
		mod := &t.r.Modules[i]
		t.printf("%s  %s  %s", moduleRange(mod), Escape(mod.CodeFile), cmp.Or(text(mod.Version), "???"))
		if i == t.r.MainModule {
			t.printf("  (main)")
		}
		t.printf("%s%s\n", symbolWarning(mod), overlap(mod))
	}
}

// symbolWarning names the symbols that a module on a stack lacks, as
// minidump_stackwalk does.
func symbolWarning(mod *report.Module) string {
	what := ""
	switch {
	case mod.CorruptSymbols:
		what = "Corrupt symbols"
	case mod.MissingSymbols:
		what = "No symbols"
	default:
		return ""
	}
	why := ""
	if mod.Symbols != nil {
		why = after(": ", text(mod.Symbols.Why))
	}
	return fmt.Sprintf("  (WARNING: %s, %s, %s%s)", what, Escape(mod.DebugFile), Escape(mod.DebugID), why)
}

// overlap says how a module's range was reduced, because another module begins within it.
func overlap(mod *report.Module) string {
	if mod.Overlap == nil {
		return ""
	}
	return "  (" + text(mod.Overlap) + ")"
}

// unloaded lists the modules that were unloaded before the crash.
func (t texter) unloaded() {
	if len(t.r.Unloaded) == 0 {
		return
	}
	t.printf("\nUnloaded modules:\n")
	for i := range t.r.Unloaded {
		mod := &t.r.Unloaded[i]
		t.printf("0x%08x - 0x%08x  %s\n", number(mod.Base), number(mod.End)-1, Escape(mod.CodeFile))
	}
}

// moduleRange is the range of a module, as minidump_stackwalk writes it, or that a report does not say where the module was.
func moduleRange(m *report.Module) string {
	if m.Base == "" {
		return "(no address stated)"
	}
	return fmt.Sprintf("0x%08x - 0x%08x", number(m.Base), number(m.End)-1)
}
