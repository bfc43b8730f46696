package plan

import (
	"cmp"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"crashglass/cmd/internal/fetch"
	"crashglass/core/report"
)

// Options has the options for making a list.
type Options struct {
	Servers        []Server // none: each module's maker is queried
	DebuginfodURLs string   // the environment's
	Only           string   // a pattern of path.Match for names of modules, or "" for all
}

// A List collects the missing symbols of several dumps.
type List struct {
	Items []fetch.Item
	Not   []string // modules for which no server is queried
	seen  map[string]bool
}

// Add adds the missing symbols of a report. A module of several reports is listed once.
func (l *List) Add(r *report.Report, opt *Options) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	for i := range r.WantedSymbols {
		w := &r.WantedSymbols[i]
		name := cmp.Or(w.DebugFile, w.CodeFile)
		key := name + "\x00" + w.DebugID + "\x00" + w.CodeID
		if l.seen[key] || !opt.wants(w) {
			continue
		}
		l.seen[key] = true
		item := fetch.Item{Name: name, ID: w.DebugID}
		if strings.Trim(w.DebugID, "0") == "" {
			item.ID = w.CodeID
		}
		for _, s := range opt.of(r, w) {
			item.Tries = append(item.Tries, tries(&s, w.Paths)...)
		}
		if item.Tries == nil {
			l.Not = append(l.Not, name)
			continue
		}
		l.Items = append(l.Items, item)
	}
}

// Public names that the report has already are not requested again.
func (opt *Options) wants(w *report.Wanted) bool {
	if opt.Only == "" {
		return w.State != report.SymbolsPublicOnly
	}
	for _, name := range []string{w.DebugFile, w.CodeFile} {
		if ok, err := path.Match(opt.Only, name); ok && err == nil {
			return true
		}
	}
	return false
}

func (opt *Options) of(r *report.Report, w *report.Wanted) []Server {
	if len(opt.Servers) > 0 {
		return opt.Servers
	}
	preset := maker(r, w.Module)
	if preset == "" {
		return nil
	}
	servers, err := Servers([]string{preset}, opt.DebuginfodURLs)
	if err != nil {
		return nil // DEBUGINFOD_URLS has no usable one
	}
	return servers
}

// tries returns the files of a server at the paths that a report lists. A Breakpad file is a try of
// its own. Native files are one try together, because a PDB has names and its image has the unwind
// tables.
func tries(s *Server, paths []string) (out []fetch.Try) {
	var sym, native []fetch.File
	for _, p := range paths {
		switch layout := layoutOf(p); {
		case s.Layout&layout == 0:
		case layout == Breakpad:
			sym = append(sym, fetch.File{s.candidate(p, p)})
		case layout == Symstore:
			native = append(native, fetch.File{s.candidate(p, p), s.cabinet(p)})
		default:
			native = append(native, fetch.File{s.candidate(p, p)})
		}
	}
	for _, files := range [][]fetch.File{sym, native} {
		if files != nil {
			out = append(out, fetch.Try{Server: s.Name(), Files: files})
		}
	}
	return out
}

func layoutOf(p string) Layout {
	switch {
	case strings.HasSuffix(p, ".sym"):
		return Breakpad
	case strings.HasPrefix(p, "buildid/") && (path.Base(p) == "debuginfo" || path.Base(p) == "executable"):
		return Debuginfod
	}
	return Symstore
}

// cabinet returns the place of a compressed file: symstore /compress replaces the last letter of
// its name.
func (s *Server) cabinet(p string) fetch.Candidate {
	_, last := utf8.DecodeLastRuneInString(p)
	short := p[:len(p)-last] + "_"
	return s.candidate(short, short)
}

// candidate returns an address on a server. Each part is escaped, and so is a plus sign, which some
// stores read as a space.
func (s *Server) candidate(below, to string) fetch.Candidate {
	parts := strings.Split(below, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), "+", "%2B")
	}
	return fetch.Candidate{URL: s.URL + "/" + strings.Join(parts, "/"), Path: to}
}
