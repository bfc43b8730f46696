// Package symbols is the symbol store: it takes files of any kind and answers queries about
// modules from them.
//
//	store := symbols.NewStore(symbols.Options{})
//	items := store.Add("crash.zip", src)          // dumps, symbols, and what else was in there
//	store.AddFS("symbols", os.DirFS("symbols"))   // only files that a module needs are opened
//	source, state := store.For(module)            // nil, and why, when nothing can be used
//
// Files are identified by content and never by name. A symbol file is used if its ID matches the
// module's. If none can be used, the state names each file that nearly matches, in one sentence
// that says what to do. The answers depend on the files and not on their order.
//
// The Store knows no format: package sniff identifies a file, package layout knows the paths in
// stores and bundles, package archive reads archives, and package formats opens files of each kind
// and lists their peculiarities (formats.Traits).
//
// Read store.go first, then add.go, folder.go and bundle.go, which take files; match.go,
// which compares them with a module; local.go, which finds files of the machine; split.go and hidden.go, which join files that belong together;
// file.go, guard.go, union.go and names.go, which answer queries; export.go, which writes everything
// and lists the damage.
//
// A file is indexed only when a module needs it. Files stay open, and must stay readable, until the
// Store is closed.
package symbols

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/variables"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/perfmap"
	"crashglass/symbols/formats/r8"
	"crashglass/symbols/formats/sniff"
)

// A Source is the interface to the symbols of a module: that of package analyze.
type Source = interface {
	formats.Source
	symbolize.Image
	symbolize.Layout
	symbolize.Search
	Variables() variables.Symbols
}

// Options are the options of a Store. The zero value is the default.
type Options struct {
	// Limits bound what archives may cost.
	Limits archive.Limits

	// Progress is called while a file is indexed, every few megabytes, and
	// while one is decompressed, with a total of 0. The error that it returns,
	// if any, ends that; the file may be requested again.
	Progress func(name string, done, total int64) error

	// Cache, if any, keeps the indexes of large files.
	Cache formats.Cache

	// SearchFrom is the size from which on a file is searched for the records that a walk needs. A
	// Breakpad file is then scanned only if an answer is not certain: see [breakpad.Options]. With
	// 0 all files are scanned. A report of a file of that size does not count odd records in it,
	// whether it was scanned or not. The index of such a file is requested from the Cache only when it
	// is needed.
	SearchFrom int64

	// SearchPage is the size of a read during a search: see [breakpad.Options].
	SearchPage int64

	// BeforeRead, if any, is called before and during a long read of a library or its debug information.
	// If it returns an error, the query stays open, which is counted; when it is repeated, the
	// reading continues there.
	BeforeRead func(name string, done int64) error

	// Whole, if any, is called if a query needs the whole of a file from AddRemote. The query stays
	// open.
	Whole func(name string)

	// Local, if any, finds the files of this machine that a debugger would find.
	Local Local

	formats     formats.Table
	hiddenNames func(uuid string) *formats.HiddenNames
}

// LeastSearched is the recommended Options.SearchFrom. Searching a file for one stack takes as long as
// scanning this many bytes.
const LeastSearched = 32 << 20

// A Store holds symbol files, and folders of them. It may be used from several
// goroutines at once; only one of them gets an answer at a time.
type Store struct {
	opt    Options
	budget *archive.Budget

	mu      sync.Mutex
	files   []*file
	folders []*folder
	local   *machine // nil without Options.Local
	forced  map[moduleKey]bool
	hidden  hidden
	java    []*r8.Map // of shortened names, the last one given first
	perf    map[uint32]*perfmap.Map
}

type moduleKey struct{ debugFile, debugID string }

// keyOf identifies a module by the name and the ID of its symbols.
func keyOf(m *module.Module) moduleKey {
	return moduleKey{module.Basename(m.DebugFile), m.DebugID}
}

// NewStore returns a Store without files.
func NewStore(opt Options) *Store {
	limits := opt.Limits
	limits.Progress = func(name string, done int64) error {
		if opt.Progress == nil {
			return nil
		}
		if err := opt.Progress(name, done, 0); err != nil {
			return errStopped{err}
		}
		return nil
	}
	opt.formats = formats.All
	s := &Store{
		opt: opt, budget: archive.NewBudget(limits), forced: map[moduleKey]bool{}, perf: map[uint32]*perfmap.Map{},
		hidden: hidden{map[string]func() (bin.Source, error){}, map[string]string{}, map[string]*formats.HiddenNames{}},
	}
	s.opt.hiddenNames = s.mapFor
	s.local = s.newMachine()
	return s
}

// AddFS adds a folder of symbol files: in the layout of Breakpad's or Microsoft's symbol stores (of
// one or two tiers), or all in one place. Only files that a module needs are opened; they must be
// io.ReaderAts. In reports they have the name and their path, or only the path without a name.
func (s *Store) AddFS(name string, fsys fs.FS) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, newFolder(name, fsys, s.budget, s.opt.formats))
}

// Force makes For use, or no longer use, the closest mismatched file for a module. Its names and
// lines are probably wrong.
func (s *Store) Force(debugFile, debugID string, use bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forced[moduleKey{module.Basename(debugFile), debugID}] = use
}

// Close closes the files of folders. The Store must not be used afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first error
	for _, f := range s.folders {
		first = cmp.Or(first, f.close())
	}
	if s.local != nil {
		first = cmp.Or(first, s.local.close())
	}
	return first
}

// For returns the symbols of a module, or nil, and their state. A mismatched file is used only
// after Force; then there is a Source although the state is "wrong_build".
func (s *Store) For(m *module.Module) (src Source, state report.Symbols) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // of what finds files: readers are guarded each
			why := bug.Of(p).Error()
			src, state = nil, report.Symbols{State: report.SymbolsDamaged, Why: &why}
		}
	}()
	files := s.nearby(m)
	near := candidates(files, m)
	if len(near) == 0 || !near[0].fit.good() {
		for _, f := range s.folders {
			files = append(files, f.others(m)...)
		}
		near = candidates(files, m)
	}
	near = s.identified(near, m)
	src, state = s.choose(s.withLocal(near, m, false), m)
	if !state.Lines && s.local.knows(m, true) {
		return s.choose(s.withLocal(near, m, true), m)
	}
	return src, state
}

// choose takes the useful files of the module's build, each for what the earlier ones lack. Without
// any, Force lets it take the first mismatched one.
func (s *Store) choose(near []candidate, m *module.Module) (Source, report.Symbols) {
	var used []candidate
	var refused *report.Symbols
	for _, c := range near {
		if !c.fit.good() && (!s.forced[keyOf(m)] || !c.fit.forcible() || refused != nil || used != nil) {
			break
		}
		if c.useless && used != nil || c.traits.Whole && slices.ContainsFunc(used, func(u candidate) bool { return u.traits.Whole }) || c.place != "" && suffice(used) {
			continue
		}
		if err := c.load(s.opt); err != nil {
			return nil, c.unread(err)
		}
		c.serve(m)
		ok, flaw := c.usable()
		switch {
		case ok && (used == nil || adds(c, used)):
			used = append(used, c)
		case !ok && refused == nil:
			refused = &report.Symbols{State: report.SymbolsDamaged, File: text(c.name), GivenID: text(c.build.ID), Why: text(c.name + " " + flaw), Bytes: max(c.size, 0)}
		}
	}
	switch {
	case used != nil:
		if f := s.complete(used, m); f != nil {
			used = append(used, candidate{file: f, fit: used[0].fit, named: true})
		}
		return s.use(used, m)
	case refused != nil:
		return nil, *refused
	case len(near) == 0:
		return nil, report.Symbols{State: report.SymbolsMissing}
	}
	return nil, refusal(near, m)
}

// unread describes a file that cannot be used because its reading was stopped,
// or has to wait.
func (c candidate) unread(err error) report.Symbols {
	if errors.Is(err, formats.ErrPending) {
		return report.Symbols{State: report.SymbolsReading, File: text(c.name), Bytes: max(c.size, 0)}
	}
	return report.Symbols{State: report.SymbolsMissing, Why: text(c.name + " was not read: " + err.Error())}
}

// suffice reports whether files have everything of a module, so that no other is read.
func suffice(used []candidate) bool {
	var have formats.Has
	for _, u := range used {
		have = have.With(u.reader.Contents().Has)
	}
	return have.Functions && have.Lines && have.Inlines && have.Variables && have.Frames && have.Code && !used[0].traits.NamesDebug
}

// adds reports whether a file brings anything that those before it do not. An image that LLD linked may have DWARF of the objects that GCC
// compiled, and the rest is in its PDB.
func adds(c candidate, used []candidate) bool {
	if c.kind == sniff.PDB && used[0].traits.NamesDebug && !slices.ContainsFunc(used, func(u candidate) bool { return u.kind == sniff.PDB }) {
		return true
	}
	var have formats.Has
	for _, u := range used {
		have = have.With(u.reader.Contents().Has)
	}
	return have.With(c.reader.Contents().Has) != have
}

// use makes one Source from files, and describes them by the most detailed one.
func (s *Store) use(used []candidate, m *module.Module) (Source, report.Symbols) {
	best := slices.MaxFunc(used, func(a, b candidate) int { return a.reader.Contents().Richness() - b.reader.Contents().Richness() })
	state := best.state(m)
	files := []*file{best.file}
	var remarks []string // the best file's first
	if state.Why != nil {
		remarks = append(remarks, *state.Why)
	}
	for _, c := range used {
		has := c.reader.Contents()
		state.CFI = state.CFI || has.Frames
		state.Code = (state.Code || has.Code) && c.fit.good()
		if c.file != best.file {
			files = append(files, c.file)
			state.Also = append(state.Also, c.name)
			if has.Odd != nil { // flaws lists the defects of files of other kinds
				remarks = append(remarks, c.name+" "+c.remark())
			}
		}
		state.Local = c.localTo(state.Local)
		for _, part := range c.parts {
			state.Also = append(state.Also, part.name)
			state.Local = part.localTo(state.Local)
		}
	}
	state.Why = text(strings.Join(remarks, "; "))
	u := join(files)
	if !best.fit.good() {
		u.images = nil // names may be wrong, but code of another build is useless
	}
	return u, state
}

func (c candidate) state(m *module.Module) report.Symbols {
	has := c.reader.Contents()
	out := report.Symbols{
		State: report.SymbolsMatched, File: text(c.name), GivenID: text(c.build.ID),
		Lines: has.Lines, Inlines: has.Inlines, Variables: has.Variables, CFI: has.Frames, Code: has.Code, Bytes: has.Bytes,
		Split: has.Split,
	}
	if odd := has.Odd; odd != nil {
		out.Damage = &report.Damage{Line: odd.Line, Records: odd.Records, Truncated: odd.Cut}
	}
	why := c.why(m)
	if remark := c.remark(); remark != "" && why != "" {
		why += "; it " + remark
	} else if remark != "" {
		why = c.name + " " + remark
	}
	out.Why = text(why)
	switch {
	case !c.fit.good():
		out.State, out.Forcible = report.SymbolsWrongBuild, true
	case !has.Functions:
		out.State = report.SymbolsPublicOnly
	}
	return out
}

// refusal describes the file that came closest and is not used, and names the
// others that came near.
func refusal(near []candidate, m *module.Module) report.Symbols {
	c, others := near[0], near[1:]
	out := report.Symbols{State: report.SymbolsWrongBuild, File: text(c.name), GivenID: text(c.build.ID), Why: text(c.why(m) + alsoFits(others)), Bytes: max(c.size, 0)}
	out.Forcible = c.fit.forcible() && !c.useless
	if c.useless {
		out.State, out.Why = report.SymbolsDamaged, text(c.name+" "+c.flaw+alsoFits(others))
	}
	return out
}

// text is a string that a report may lack.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// FunctionTable returns the unwind rules of function entries of code that Windows' programs made at run time, or nil. Memory begins at the base of the
// entries.
func (s *Store) FunctionTable(memory io.ReaderAt, arch *cpu.Arch, entries []byte) (rules unwind.EntryRules) {
	var err error
	defer bug.Catch(&err)
	return formats.FunctionTable(bin.NewSource(memory, 1<<32), arch, entries)
}

// Object returns the names and unwind rules of an object file in memory whose sections have addresses, or nil.
func (s *Store) Object(memory io.ReaderAt, size int64) (o interface {
	symbolize.Source
	unwind.Rules
	Base() uint64
	EachCode(each func(addr, size uint64))
}) {
	var err error
	defer bug.Catch(&err)
	if f, err := formats.OpenObject(memory, size); err == nil {
		return f
	}
	return nil
}

// GoTable implements analyze.Imager.
func (s *Store) GoTable(memory io.ReaderAt, size int64, base uint64, arch string) (names interface {
	symbolize.Source
	unwind.Rules
}) {
	var err error
	defer bug.Catch(&err)
	return formats.GoTable(memory, size, base, arch)
}

// Image returns the unwind rules of an image in memory, or nil for other memory. Dumps with all memory have them.
func (s *Store) Image(memory io.ReaderAt, size int64) (rules unwind.Rules) {
	var err error
	defer bug.Catch(&err)
	if f := formats.Image(bin.NewSource(memory, size)); f != nil {
		return f
	}
	return nil
}
