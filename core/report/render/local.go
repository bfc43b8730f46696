package render

import (
	"cmp"
	"strings"

	"crashglass/core/report"
)

// places are the words for where a file of this machine was found.
var places = map[report.Place]string{
	report.AtRecordedPath:  "at the recorded path",
	report.BesideIt:        "beside the recorded path",
	report.InDebugFolder:   "in the folder of debug files, by path",
	report.ByBuildID:       "in the folder of debug files, by build ID",
	report.InDebuginfod:    "in debuginfod's cache",
	report.InSymbolPath:    "in _NT_SYMBOL_PATH",
	report.InSymbolCache:   "in a symbol cache of Windows",
	report.InXcode:         "in Xcode's folders",
	report.SpotlightsPlace: "by Spotlight",
}

// placed says where a file was found. A later version's place is named by its code.
func placed(f report.LocalFile) string { return cmp.Or(places[f.Place], Escape(string(f.Place))) }

// localFiles returns the files of this machine that a report is made with, each once.
func localFiles(r *report.Report) (out []report.LocalFile) {
	known := map[string]bool{}
	for i := range r.Modules {
		if s := r.Modules[i].Symbols; s != nil {
			for _, f := range s.Local {
				if !known[f.File] {
					known[f.File] = true
					out = append(out, f)
				}
			}
		}
	}
	return out
}

func unusedWhy(u *report.Unused) string {
	switch {
	case u.Module == nil:
		return "no module of the dump is of this file"
	case u.ID == "":
		return "it does not say which build it is of; the dump wants " + u.Wanted
	}
	return "its ID is " + u.ID + "; the dump wants " + u.Wanted
}

// UnusedSentence is a line about a file that was given and is not used: "game0: its ID is 1; the dump wants 2".
func UnusedSentence(u *report.Unused) string { return u.File + ": " + unusedWhy(u) }

// ServersSentence is a line about the servers that _NT_SYMBOL_PATH names.
func ServersSentence(servers []string) string {
	return "`_NT_SYMBOL_PATH` names " + strings.Join(servers, ", ") + ", which this command does not read: crashglass fetch --server downloads from a server"
}

func (t texter) servers() {
	if len(t.r.UnreadServers) > 0 {
		t.printf("%s.\n", Escape(ServersSentence(t.r.UnreadServers)))
	}
}

func (t texter) unused() {
	if len(t.r.UnusedSymbols) > 0 {
		t.printf("\nSymbols that were given and do not match:\n")
	}
	for i := range t.r.UnusedSymbols {
		t.printf("%s\n", Escape(UnusedSentence(&t.r.UnusedSymbols[i])))
	}
}

func (m markdown) unused() {
	if len(m.r.UnusedSymbols) > 0 {
		m.printf("\nSymbols that were given and do not match:\n\n")
	}
	for i := range m.r.UnusedSymbols {
		u := &m.r.UnusedSymbols[i]
		m.printf("- %s: %s\n", codeSpan(u.File), mdProse(unusedWhy(u)))
	}
}

func (h htmler) unused() {
	h.section("Symbols that were given and do not match", len(h.r.UnusedSymbols), func() {
		h.table([]string{"File", "Why"}, func(row func(...string)) {
			for i := range h.r.UnusedSymbols {
				row(h.r.UnusedSymbols[i].File, unusedWhy(&h.r.UnusedSymbols[i]))
			}
		})
	})
}

func (t texter) local() {
	files := localFiles(t.r)
	if len(files) > 0 {
		t.printf("\nSymbols from this machine:\n")
	}
	for _, f := range files {
		t.printf("%s  (%s)\n", Escape(f.File), placed(f))
	}
}

func (m markdown) local() {
	files := localFiles(m.r)
	if len(files) > 0 {
		m.printf("\nSymbols from the machine that wrote this report:\n\n")
	}
	for _, f := range files {
		m.printf("- %s, %s\n", codeSpan(f.File), mdProse(placed(f)))
	}
}
