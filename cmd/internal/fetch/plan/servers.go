// Package plan makes the list of symbol files that would help a dump, with the servers to ask for
// each. It reads a report, never a dump, and reaches no network. Its list is the only input of
// package download. Names and ids come from a dump and may be anything: every part of an address is
// escaped here, package analyze lists no path that would leave a store, and package download
// refuses one.
package plan

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"crashglass/core/cause/next"
	"crashglass/core/report"
)

// A Layout is a way to find a file on a server.
type Layout int

// The layouts; a server may have several.
const (
	Breakpad   Layout = 1 << iota // NAME/ID/NAME.sym
	Symstore                      // NAME/ID/NAME: PDBs and images, perhaps as cabinets
	Debuginfod                    // buildid/ID/debuginfo
)

// A Server is a symbol server with its layouts.
type Server struct {
	URL    string // without a slash at its end
	Layout Layout
}

// Name returns the server's host and folder, for people.
func (s *Server) Name() string {
	if rest, ok := strings.CutPrefix(s.URL, "https://"); ok {
		return rest
	}
	return s.URL // an unencrypted address stays visible
}

// presets are the public servers. The addresses of package next are documented by their owners;
// those of the makers of graphics cards are the ones that Mozilla's crash reporting queries
// (symbol-scripts of mozilla-central).
var presets = map[string]Server{
	"mozilla":    {next.Server(report.FromMozilla), Breakpad | Symstore},
	"microsoft":  {next.Server(report.FromMicrosoft), Symstore},
	"chromium":   {next.Server(report.FromChromium), Symstore},
	"electron":   {next.Server(report.FromElectron), Breakpad | Symstore},
	"debuginfod": {next.Server(report.FromDistro), Debuginfod},
	"nvidia":     {"https://driver-symbols.nvidia.com", Symstore},
	"intel":      {"https://software.intel.com/sites/downloads/symbols", Symstore},
	"amd":        {"https://download.amd.com/dir/bin", Symstore},
}

// Presets returns the names of the known servers.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// layouts are the prefixes that an address may have.
var layouts = map[string]Layout{"breakpad": Breakpad, "symstore": Symstore, "debuginfod": Debuginfod}

// Servers reads the words that name servers: presets, or addresses, which may
// have their layout in front (symstore=https://host/symbols/). Debuginfod's are
// those of DEBUGINFOD_URLS, where that is set.
func Servers(words []string, debuginfodURLs string) (out []Server, err error) {
	for _, word := range words {
		if preset, known := presets[word]; known {
			if word == "debuginfod" {
				named, err := distro(debuginfodURLs)
				if err != nil {
					return nil, err
				}
				out = append(out, named...)
			} else {
				out = append(out, preset)
			}
			continue
		}
		s, err := address(word)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// address parses an address with or without a layout.
func address(word string) (Server, error) {
	text, layout := word, Breakpad|Symstore|Debuginfod
	if name, rest, ok := strings.Cut(word, "="); ok && layouts[name] != 0 {
		text, layout = rest, layouts[name]
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return Server{}, fmt.Errorf("%q is no server; use one of %s, or an address like https://host/symbols/", word, strings.Join(Presets(), ", "))
	}
	if u.User != nil {
		return Server{}, errors.New("an address with a user or a password is not taken: the list shows addresses")
	}
	return Server{strings.TrimRight(u.String(), "/"), layout}, nil
}

// distro returns the debuginfod servers of DEBUGINFOD_URLS, which is separated by spaces, or the
// public server (debuginfod-find(1)). If none of the listed servers is usable, the public server
// does not replace them: it would learn about private builds.
func distro(urls string) (out []Server, err error) {
	words := strings.Fields(urls)
	if len(words) == 0 {
		return []Server{presets["debuginfod"]}, nil
	}
	for _, word := range words {
		if s, err := address("debuginfod=" + word); err == nil {
			out = append(out, s)
		}
	}
	if out == nil {
		return nil, errors.New("DEBUGINFOD_URLS has no address that can be asked: it takes http and https, without a user or a password")
	}
	return out, nil
}

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
