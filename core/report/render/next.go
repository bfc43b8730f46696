package render

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// originWords name the source of a symbol file. Each has the server as its argument.
var originWords = map[report.Origin]string{
	report.FromBuild:     "from the output folder of that build", // the program's own modules, and libraries without a known publisher
	report.FromMicrosoft: "from Microsoft's symbol server, %s",
	report.FromMozilla:   "from Mozilla's symbol server, %s",
	report.FromChromium:  "from Chromium's symbol server, %s",
	report.FromElectron:  "from Electron's symbol server, %s",
	report.FromDistro:    "from the distribution: its debug package, or its debuginfod server (%s lists them)", // libraries of a Linux distribution
	report.FromMac:       "from a Mac with the same version of macOS",                                          // Apple publishes no symbols
	report.FromDevice:    "from a device with the same system build",                                           // system libraries of Android
}

// nextSentences has the sentence of each step.
var nextSentences = map[report.NextKind]func(*report.NextStep) string{
	report.GetDump:      func(*report.NextStep) string { return "Ask for the dump again: this file is truncated or damaged." },
	report.GetSymbols:   getSymbols,
	report.GetCode:      getCode,
	report.LookAt:       lookAt,
	report.CompareLocks: compareLocks, report.CompareWaits: compareLocks, report.Relock: compareLocks,
	report.TellVendor: reportVendor,
	report.CheckMemory: func(*report.NextStep) string {
		return "Test the memory of the machine if its other crashes look different each time."
	},
	report.UpdateDriver: updateDriver,
	report.CheckDisk: func(*report.NextStep) string {
		return "Check the disk: run `chkdsk /f` on the Windows volume, and read the disk's own health report (SMART)."
	},
	report.CheckDevice: func(*report.NextStep) string {
		return "Check the hardware: undo overclocking, check cooling and power, and update the firmware (BIOS or UEFI)."
	},
	report.KernelDump: func(*report.NextStep) string {
		return "Get a kernel memory dump: choose it in Windows under Advanced system settings, Startup and Recovery, and open `C:\\Windows\\MEMORY.DMP` after the next blue screen."
	},
	report.RunSanitizer: func(*report.NextStep) string {
		return "Run the program with AddressSanitizer, or on Windows with page heap: it stops where the memory is damaged."
	},
}

// nextSentence returns the sentence of a step. For an unknown kind it returns the report's Text.
func nextSentence(s *report.NextStep) string {
	if write, ok := nextSentences[s.Kind]; ok {
		return write(s)
	}
	return s.Text
}

// quoted marks a name from the dump as code, as the sentences of package crash do. Among
// Microsoft's names only that of the anonymous namespace contains a backtick.
func quoted(s string) string {
	s = strings.ReplaceAll(s, "`anonymous namespace'", "(anonymous namespace)")
	return "`" + strings.ReplaceAll(s, "`", "'") + "`"
}

// getSymbols names the file, its ID, its source, and why a given file does not suffice. The ID is
// what is requested from a symbol server.
func getSymbols(s *report.NextStep) string {
	if len(s.Split) > 0 {
		parts := quoted(s.Split[0])
		if len(s.Split) > 1 {
			parts = "the .dwo files, such as " + parts
		}
		return fmt.Sprintf("Add %s, or %s: the debug information of the given %s was split off.", quoted(s.File+".dwp"), parts, quoted(s.File))
	}
	words := "Get " + quoted(s.File)
	if s.ID != "" {
		words += " with ID " + quoted(s.ID)
	}
	if format := originWords[s.Origin]; strings.Contains(format, "%s") {
		words += " " + fmt.Sprintf(format, s.Server)
	} else if format != "" {
		words += " " + format
	}
	return words + wantedWords[s.State] + "."
}

// wantedWords say why another file is wanted although there is one.
var wantedWords = map[string]string{
	report.SymbolsWrongBuild: "; the given file is mismatched (from another build)",
	report.SymbolsDamaged:    "; the given file is damaged",
	report.SymbolsPublicOnly: "; the given file has no source lines", // a PDB without its private part, as Microsoft publishes them
}

// getCode requests a module's file, whose code is the same as that in the process.
func getCode(s *report.NextStep) string {
	return fmt.Sprintf("Add the file %s of this build: the dump lacks the instruction that failed, and the file has it.", quoted(s.File))
}

// lookAt names the function, the line, the row of the stack, and the register that has the wrong
// value.
func lookAt(s *report.NextStep) string {
	words := "Look at " + quoted(funcname.Short(s.Function))
	if s.At != "" {
		words += " at " + quoted(s.At)
	}
	if s.Row != nil {
		words += fmt.Sprintf(", frame %d", *s.Row)
	}
	what := cmp.Or(s.Variable, s.Register)
	if what == "" {
		return words + "."
	}
	return words + fmt.Sprintf(", and find out why %s is %s.", quoted(what), short(s.Value))
}

func compareLocks(s *report.NextStep) string {
	functions, locks := listed(s.Functions), cmp.Or(listed(s.Locks), "their locks")
	switch {
	case s.Kind == report.Relock && len(s.Locks) > 0:
		return fmt.Sprintf("Look at %s: it waits for %s, which its own thread holds.", functions, locks)
	case s.Kind == report.Relock:
		return fmt.Sprintf("Look at %s: it waits for its own thread.", functions)
	case s.Kind == report.CompareWaits:
		return fmt.Sprintf("Look at %s: they wait for each other.", functions)
	case len(s.Functions) == 1:
		return fmt.Sprintf("Compare the order in which the calls of %s take %s: they wait for each other.", functions, locks)
	}
	return fmt.Sprintf("Compare the order in which %s take %s: they wait for each other.", functions, locks)
}

// listed quotes names: "`a`, `b` and `c`".
func listed(names []string) string {
	words := make([]string, 0, len(names))
	for _, name := range names {
		words = append(words, quoted(name))
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func updateDriver(s *report.NextStep) string {
	maker := ""
	if s.Vendor != "" {
		maker = " from its maker, " + s.Vendor + ","
	}
	return fmt.Sprintf("Update the driver %s%s or remove the device or program that it belongs to.", quoted(s.File), maker)
}

// reportVendor names the maker if it is known, or else the whole path, which often shows it.
func reportVendor(s *report.NextStep) string {
	if s.Vendor != "" {
		return fmt.Sprintf("Update %s, or report the crash to its maker, %s.", quoted(s.File), s.Vendor)
	}
	return fmt.Sprintf("Report the crash to the maker of %s, which is not part of the program.", quoted(cmp.Or(s.Path, s.File)))
}
