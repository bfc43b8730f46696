package next

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

// vendors are the makers of modules that are loaded into other programs, by prefixes of the
// modules' names, in lower case.
//
// Source: the names under which the drivers and programs install them; several
// are in Mozilla's blocklist (mozglue's WindowsDllBlocklistDefs.in).
var vendors = []struct{ begins, name string }{
	{"nvlddmkm", "NVIDIA"}, {"atikm", "AMD"}, {"amdkmdag", "AMD"}, {"igdkmd", "Intel"},
	{"nvoglv", "NVIDIA"}, {"nvwgf2um", "NVIDIA"}, {"nvd3dum", "NVIDIA"}, {"libnvidia-", "NVIDIA"}, {"libglx_nvidia", "NVIDIA"}, {"libcuda.so", "NVIDIA"},
	{"atidxx", "AMD"}, {"atiumd", "AMD"}, {"atio6axx", "AMD"}, {"amdxc", "AMD"}, {"amdvlk", "AMD"},
	{"igd10", "Intel"}, {"igd11", "Intel"}, {"igd12", "Intel"}, {"igdumd", "Intel"}, {"ig9icd", "Intel"}, {"ig4icd", "Intel"},
	{"aswhook", "Avast"}, {"snxhk", "Avast"}, {"bdhkm", "Bitdefender"}, {"atcuf", "Bitdefender"}, {"klsihk", "Kaspersky"},
	{"symamsi", "Symantec"}, {"sophos_detoured", "Sophos"}, {"hmpalert", "Sophos"}, {"tmumh", "Trend Micro"}, {"umppc", "CrowdStrike"},
	{"rtsshooks", "RivaTuner"}, {"gameoverlayrenderer", "Valve"}, {"discordhook", "Discord"}, {"nahimic", "Nahimic"},
}

// tellVendor names the vendor to contact about a crash in a third party's module.
func tellVendor(c *crashed) *report.NextStep {
	m := c.module(c.blamed)
	if m == nil || !c.Verdict.Crashed || c.Verdict.Finding == report.FindingBugCheck {
		return nil
	}
	vendor := vendorOf(m.CodeFile)
	if vendor == "" && !c.foreign() {
		return nil
	}
	s := &report.NextStep{Kind: report.TellVendor, Module: c.blamed.ModuleIndex, File: m.CodeFile, Vendor: vendor}
	if vendor == "" {
		s.Path = m.Path
	}
	return s
}

func vendorOf(name string) string {
	name = strings.ToLower(name)
	for _, v := range vendors {
		if strings.HasPrefix(name, v.begins) {
			return v.name
		}
	}
	return ""
}

func (c *crashed) foreign() bool {
	return slices.ContainsFunc(c.Verdict.Badges, func(b report.Badge) bool { return b.Finding == report.FindingForeignModule })
}
