package plan

import (
	"slices"
	"strings"

	"crashglass/core/cause/next"
	"crashglass/core/report"
)

// byOrigin maps a module's origin to the preset server with its symbols.
var byOrigin = map[report.Origin]string{
	report.FromMozilla: "mozilla", report.FromMicrosoft: "microsoft", report.FromChromium: "chromium", report.FromElectron: "electron",
	report.FromDistro: "debuginfod",
}

// Drivers are recognized by a prefix of their name, below the Windows folder.
var drivers = []struct{ prefix, preset string }{
	{"nv", "nvidia"}, {"ati", "amd"}, {"amd", "amd"}, {"igd", "intel"}, {"igc", "intel"}, {"igx", "intel"}, {"ig4", "intel"}, {"ig7", "intel"},
	{"ig8", "intel"}, {"ig9", "intel"}, {"ig1", "intel"},
}

// maker returns the preset with a module's symbols, or "". The user's own modules have none: their
// names are sent only to a server that the user names.
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
