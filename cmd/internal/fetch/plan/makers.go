package plan

import (
	"slices"
	"strings"

	"crashglass/core/next"
	"crashglass/core/report"
)

// byOrigin is who publishes the symbols of a module.
var byOrigin = map[report.Origin]string{
	report.FromMozilla: "mozilla", report.FromMicrosoft: "microsoft", report.FromChromium: "chromium", report.FromElectron: "electron",
	report.FromDistro: "debuginfod",
}

// Drivers are known by how their names begin, below the folder of Windows.
var drivers = []struct{ prefix, preset string }{
	{"nv", "nvidia"}, {"ati", "amd"}, {"amd", "amd"}, {"igd", "intel"}, {"igc", "intel"}, {"igx", "intel"}, {"ig4", "intel"}, {"ig7", "intel"}, {"ig8", "intel"}, {"ig9", "intel"}, {"ig1", "intel"},
}

// maker names the preset that has a module's symbols, or is "": a module of
// the person's own is asked for nowhere, unless a server is named.
func maker(r *report.Report, index int) string {
	if index < 0 || index >= len(r.Modules) {
		return ""
	}
	m := &r.Modules[index]
	if below := strings.ToLower(m.Path); strings.Contains(below, `\windows\`) {
		name := strings.ToLower(m.CodeFile)
		if i := slices.IndexFunc(drivers, func(d struct{ prefix, preset string }) bool { return strings.HasPrefix(name, d.prefix) }); i >= 0 {
			return drivers[i].preset
		}
	}
	return byOrigin[next.Origin(r, index)]
}
