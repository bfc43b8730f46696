package next

import (
	"testing"

	"crashglass/core/report"
)

// stopped is the report of a small dump of the kernel.
func stopped(code string, where *string) *report.Report {
	at, thread, system, driver := report.Address(code), 0, 0, 1
	nt, widget := "ntoskrnl.exe", "nvlddmkm.sys"
	return &report.Report{
		Verdict:   report.Verdict{Crashed: true, Finding: report.FindingBugCheck, Where: where},
		CrashInfo: report.CrashInfo{Code: &at, CrashingThread: &thread},
		Modules:   []report.Module{{CodeFile: nt, System: true}, {CodeFile: widget}},
		Threads: []report.Thread{{Frames: []report.Frame{
			{Module: &nt, ModuleIndex: &system, System: true}, {Module: &widget, ModuleIndex: &driver},
		}}},
		WantedSymbols: []report.Wanted{{Module: 1, CodeFile: widget, State: report.SymbolsMissing}, {Module: 0, CodeFile: nt, State: report.SymbolsMissing}},
	}
}

// The steps for a bug check are about the driver, the hardware and a larger dump, and only the kernel's symbols are named.
func TestKernelSteps(t *testing.T) {
	where := "nvlddmkm.sys + 0x10"
	for _, tt := range []struct {
		name string
		r    *report.Report
		want []report.NextKind
	}{
		{"a driver", stopped("0x000000d1", &where), []report.NextKind{report.UpdateDriver, report.GetSymbols}},
		{"no driver", stopped("0x0000009f", nil), []report.NextKind{report.KernelDump, report.GetSymbols}},
		{"memory", stopped("0x0000001a", &where), []report.NextKind{report.UpdateDriver, report.GetSymbols, report.CheckMemory}},
		{"disk", stopped("0x0000007a", nil), []report.NextKind{report.CheckDisk, report.KernelDump, report.GetSymbols}},
		{"hardware", stopped("0x00000124", nil), []report.NextKind{report.CheckDevice, report.GetSymbols}},
		{"Windows went on", stopped("0x0000015e", nil), []report.NextKind{report.GetSymbols}},
		{"an unknown code", stopped("0x0000dead", nil), []report.NextKind{report.KernelDump, report.GetSymbols}},
	} {
		steps := Steps(tt.r)
		for i, s := range steps {
			if i >= len(tt.want) || s.Kind != tt.want[i] {
				t.Errorf("%s: step %d is %s", tt.name, i, s.Kind)
			}
			if s.Kind == report.UpdateDriver && (s.File != "nvlddmkm.sys" || s.Vendor != "NVIDIA") || s.Kind == report.GetSymbols && s.File != "ntoskrnl.exe" {
				t.Errorf("%s: %+v", tt.name, s)
			}
		}
		if len(steps) < len(tt.want) {
			t.Errorf("%s: %d steps", tt.name, len(steps))
		}
	}
}

// Windows' own drivers come from Microsoft, in a dump of the kernel only; others are in the same folder.
func TestDriverOrigins(t *testing.T) {
	for name, want := range map[string]report.Origin{
		"PARTMGR.SYS": report.FromMicrosoft, "acpi.sys": report.FromMicrosoft, "ws2ifsl.sys": report.FromMicrosoft, "cimfs.sys": report.FromMicrosoft,
		"nvlddmkm.sys": report.FromBuild, "art.sys": report.FromBuild, "disk": report.FromBuild, ".sys": report.FromBuild,
	} {
		r := stopped("0x000000d1", nil)
		windows := "Windows NT"
		r.SystemInfo.OS = &windows
		r.Modules[1].CodeFile = name
		if got := Origin(r, 1); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
