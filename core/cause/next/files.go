package next

import (
	"cmp"
	"slices"
	"strings"

	"crashglass/core/cause/crash"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// getDump is for a file that ends before its streams or its memory, which Windows writes last. An
// incomplete copy can be made again, and no other step helps as much. A wrong offset within a
// stream does not count.
func getDump(c *crashed) *report.NextStep {
	cut := slices.ContainsFunc(c.Streams, func(s report.Stream) bool { return s.Offset+int64(s.Size) > c.Dump.Size }) ||
		slices.ContainsFunc(c.Notes, func(n report.Note) bool { return n.Kind == report.NoteTruncated && n.Where == report.InMemory })
	if !cut {
		return nil
	}
	return &report.NextStep{Kind: report.GetDump}
}

// getSymbols names the most useful symbol file: that of the module with the first frame of the
// program's own code, or where the walk went wrong.
func getSymbols(c *crashed) *report.NextStep {
	w := c.wanted()
	if w == nil || w.Module < 0 || w.Module >= len(c.Modules) {
		return nil
	}
	m := &c.Modules[w.Module]
	s := &report.NextStep{Kind: report.GetSymbols, Module: &w.Module, File: cmp.Or(w.DebugFile, w.CodeFile), ID: fileID(w), State: w.State}
	if m.Symbols != nil && w.State == report.SymbolsPublicOnly {
		s.Split = m.Symbols.Split
	}
	s.Origin = c.origin(m, w.Module)
	s.Server = servers[s.Origin]
	return s
}

func (c *crashed) wanted() *report.Wanted {
	byModule := map[int]*report.Wanted{}
	var first *report.Wanted
	for i := range c.WantedSymbols {
		w := &c.WantedSymbols[i]
		if c.goodEnough(w) {
			continue
		}
		byModule[w.Module] = w
		if first == nil {
			first = w
		}
	}
	if c.Verdict.Finding == report.FindingBugCheck { // few users can get the files of other makers' drivers, and the kernel's names show most
		return c.wantedSystem()
	}
	if c.thread == nil {
		return first
	}
	if w := byModule[c.MainModule]; w != nil && w.State == report.SymbolsPublicOnly && w.Crashing {
		return w // the program is stripped: the guesses above it are its own, and not those of a library
	}
	var lost *report.Wanted // the last module before the first guess
	for i := range c.thread.Frames {
		f := &c.thread.Frames[i]
		if f.Guess && lost != nil {
			return lost
		}
		if f.ModuleIndex == nil {
			continue
		}
		lost = byModule[*f.ModuleIndex]
		if lost != nil && !f.System {
			return lost
		}
	}
	return first
}

// wantedSystem chooses the first wanted file of the system.
func (c *crashed) wantedSystem() *report.Wanted {
	for i := range c.WantedSymbols {
		if w := &c.WantedSymbols[i]; w.Module >= 0 && w.Module < len(c.Modules) && c.Modules[w.Module].System {
			return w
		}
	}
	return nil
}

// goodEnough reports whether the names of a file suffice. Few users need lines in the system's
// code. If the verdict has a line, names of system functions around it add little, too.
func (c *crashed) goodEnough(w *report.Wanted) bool {
	if module.IsVDSO(w.CodeFile) {
		return true
	}
	if w.Module < 0 || w.Module >= len(c.Modules) || w.Module == c.MainModule {
		return false
	}
	m := &c.Modules[w.Module]
	if m.System && c.origin(m, w.Module) == report.FromMicrosoft && w.DebugFile == "" { // such as Wine's: Microsoft's name their PDB
		return true
	}
	theirs := m.System || c.origin(m, w.Module) == report.FromDistro
	return theirs && (w.State == report.SymbolsPublicOnly || c.Verdict.At != nil)
}

// fileID returns the id of a symbol file's build: a build ID of 16 bytes or more, which debuginfod
// knows, or else the debug ID.
func fileID(w *report.Wanted) string {
	const leastBuildID = 32 // hex digits; shorter code IDs are a time stamp and a size
	if len(w.CodeID) >= leastBuildID {
		return w.CodeID
	}
	if strings.Trim(w.DebugID, "0") == "" {
		return ""
	}
	return w.DebugID
}

// getCode is for an access to memory whose instruction is not in the dump: the module's file has
// it.
func getCode(c *crashed) *report.NextStep {
	if c.CrashInfo.Instruction != nil || c.thread == nil || len(c.thread.Frames) == 0 || !slices.Contains(accesses, c.Verdict.Finding) {
		return nil
	}
	f := &c.thread.Frames[0]
	m := c.module(f)
	if m == nil || m.Symbols != nil && m.Symbols.Code || crash.Thumb(c.SystemInfo.Arch(), &f.Walked().Regs) {
		return nil // Thumb is not decoded, wherever it comes from
	}
	return &report.NextStep{Kind: report.GetCode, Module: f.ModuleIndex, File: m.CodeFile, ID: m.CodeID}
}

// accesses are the findings about an access to memory, which the instruction would explain.
var accesses = []report.FindingKind{report.FindingNullPointer, report.FindingNonCanonical, report.FindingUnmapped, report.FindingGuardPage,
	report.FindingInaccessible, report.FindingReadOnly, report.FindingPoison, report.FindingText, report.FindingMisaligned}
