// Package pdb reads program databases of format 7.00: the files in which
// Microsoft's and LLVM's linkers for Windows put debug information.
//
// Opening a file reads its identity and the locations of its parts. A module is read when one of
// its addresses is looked up, a type when a name needs it. So opening a file of several gigabytes
// costs little:
//
//	f, err := pdb.Open(src, pdb.Options{})
//	if err != nil {
//		return err // no PDB of format 7.00, or its identity is damaged
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the image base
//
// Three lists are exceptions: modules, the code of each module, and addresses of public symbols.
// The first lookup reads each as a whole, and each entry takes 8 to 28 bytes.
//
// Functions are named as Mozilla's dump_syms names them, by the record's name and the types of the
// arguments: "Widget::Paint(gfx::Rect const&, int)". Crash reports use this form; debuggers show it
// without arguments. Without types, as in stripped PDBs and for assembly, the name is that of the
// public symbol: still decorated for C++, without the decoration of C (_f@8).
//
// Damaged parts are skipped and noted: a stream whose blocks lie outside of the file, a module with
// inconsistent records, a type that refers to itself. Every size is checked against the file, all
// streams together cannot be larger than the file, and all work is linear in the bytes read. An
// address that cannot be translated has no answer.
//
// For x86 the frame data and FPO streams have unwind rules. For other CPUs a PDB has none; they are
// in the image. PDBs of format 2.00, of before 2002, and portable PDBs, which describe .NET code,
// are refused by name. Sources inside the file are not read.
//
// Arguments, local variables and their types are read for package variables, at the location that
// an S_LOCAL or an older record gives for an address. If records are ambiguous, a value could be
// wrong, so the variable has a reason instead of a value: a register that may hold only the first
// member of a structure, a register that holds another variable on some paths, a prologue that has
// not set the register yet.
//
// Read msf.go and stream.go first, which are the container, then open.go, info.go and dbi.go;
// unit.go, symbols.go and body.go read functions, publics.go other names, c13.go, lines.go and
// annotations.go lines and inlined calls, omap.go moved addresses, frames.go rules, and locate.go
// joins them. variables.go begins with variables, typestream.go with types.
//
// Specifications: LLVM's "The PDB File Format" (https://llvm.org/docs/PDB/) for
// the streams, and microsoft-pdb's include/cvinfo.h for the records.
package pdb

import (
	"fmt"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/base/recent"
	"crashglass/core/values/types"
	"crashglass/symbols/search"
)

// Options are the options of Open. The zero value is the default.
type Options struct {
	// Search reads only what an address needs, as far as the tables of the file locate it.
	Search bool

	// BeforeRead, if any, is called before all lists of a searched file are read for a query. If it
	// returns an error, the query stays unanswered.
	BeforeRead func(done int64) error
}

// A File is a PDB. It may be used from several goroutines at once.
type File struct {
	msf  *msf
	info info
	dbi  dbi
	addr addressMap

	mu       sync.Mutex // guards what follows
	notes    *notes
	names    *nameTable
	types    *typeStream
	ids      *typeStream
	optional []int

	modList  []mod
	modNames []byte         // what the names of modList are places in
	byName   map[string]int // modules
	contribs *ranges.Table  // nil until they are asked for

	opt       Options
	modReader modReader
	begun     bool // it is decided whether the file is searched
	searched  searched
	state     search.State

	publicList  []public // of code; nil until they are asked for
	dataList    []public // read with them
	records     *stream
	publicNames recent.Cache[uint32, string]

	frames *frameTable // nil until it is asked for
	units  recent.Cache[int, *unit]
	bodies recent.Cache[bodyKey, *body]
	inline recent.Cache[inlineKey, string]

	signatures recent.Cache[uint32, signature]

	made    map[typeKey]*types.Type
	members *bin.Budget    // nil until some are read
	globals *globalTable   // nil until it is asked for
	placed  []placedRecord // nil until they are listed

	siteRows []lineRow // of the inlined call that was read last

	publicRecords []byte        // all records of public symbols, while they are listed
	covered       *ranges.Table // code that functions have; nil until all were listed
}

// Open reads the identity of a PDB and the locations of its parts; everything else is read on
// demand. It fails if the file is no PDB of format 7.00, or too damaged for its identity. Other
// damaged parts are skipped, and Notes lists them.
func Open(src bin.Source, opt Options) (*File, error) {
	f := &File{notes: &notes{}, opt: opt}
	if err := f.open(src); err != nil {
		return nil, fmt.Errorf("pdb: %w", err)
	}
	f.newCaches(parsedCache)
	return f, nil
}

// parsedCache is about how many bytes of parsed modules and names are kept.
const parsedCache = 64 << 20

// newCaches makes the caches, which together keep about so many bytes.
func (f *File) newCaches(limit int) {
	f.units.Limit, f.bodies.Limit = limit, limit/8
	f.inline.Limit, f.signatures.Limit, f.publicNames.Limit = limit/32, limit/32, limit/32
}

func (f *File) open(src bin.Source) (err error) {
	if f.msf, err = openMSF(src, f.notes); err != nil {
		return err
	}
	s, err := f.msf.stream(streamInfo, "PDB info")
	if err != nil {
		return err
	}
	c, err := s.all()
	if err != nil {
		return err
	}
	if f.info, err = parseInfo(c); err != nil {
		if f.info.named == nil {
			return err
		}
		f.notes.error(err)
	}
	f.openDBI()
	if i, ok := f.info.named["/names"]; ok {
		if s, err = f.msf.stream(i, "/names"); err == nil {
			f.names, err = openNames(s)
		}
		f.notes.error(err)
	}
	f.types = f.openTypes(streamTPI, "types")
	if f.info.ids {
		f.ids = f.openTypes(streamIPI, "ids")
	}
	return nil
}

// openDBI reads the header of the DBI stream, and the tables that translate its addresses into
// those of the image. A PDB that only has types has none.
func (f *File) openDBI() {
	if !f.msf.has(streamDBI) || f.msf.sizes[streamDBI] == 0 {
		f.notes.add("stream %d (DBI) is empty: the file describes types, no program", streamDBI)
		return
	}
	s, err := f.msf.stream(streamDBI, "DBI")
	if err == nil {
		f.dbi, err = parseDBI(s)
	}
	f.notes.error(err)
	f.optional, err = f.dbi.parseOptional()
	f.notes.error(err)
	f.openAddresses()
}

// openAddresses reads the section headers and the OMAP tables. With only one of the two tables
// translation is impossible, and wrong addresses would be worse than none.
//
// Syzygy, which reordered the functions of Chrome, left the sections where
// they were, and wrote no headers of how they had been.
func (f *File) openAddresses() {
	if c := f.optionalStream(optSections, "section headers"); c != nil {
		f.addr.image = parseSections(c)
	}
	f.addr.sections = f.addr.image
	if len(f.addr.image) == 0 {
		f.notes.add("no section headers: no address is known")
	}
	from, to := f.optionalStream(optOmapFromSrc, "OMAP from source"), f.optionalStream(optOmapToSource, "OMAP to source")
	if from == nil && to == nil {
		return
	}
	if old := f.optionalStream(optOldSections, "original section headers"); old != nil {
		f.addr.sections = parseSections(old)
	}
	if err := f.openOMAP(from, to); err != nil {
		f.notes.error(err)
		f.addr.sections = nil
	}
}

func (f *File) openOMAP(from, to *bin.Cursor) error {
	if from == nil || to == nil {
		return &bin.Error{What: "OMAP", Why: "the image was rearranged, but only one of the two tables is there: no address is known"}
	}
	fromSource, err := parseOMAP(from)
	if err != nil {
		return err
	}
	toSource, err := parseOMAP(to)
	if err != nil {
		return err
	}
	f.addr.omap = newMapping(fromSource, toSource, sectionsEnd(f.addr.sections))
	return nil
}

// optionalStream reads an optional debug stream as a whole; nil when there is
// none, or an empty one.
func (f *File) optionalStream(which int, what string) *bin.Cursor {
	if which >= len(f.optional) || f.optional[which] == noStream {
		return nil
	}
	s, err := f.msf.stream(f.optional[which], what)
	var c *bin.Cursor
	if err == nil && s.size > 0 {
		c, err = s.all()
	}
	if err != nil {
		f.notes.error(err)
		return nil
	}
	return c
}

func (f *File) mods() []mod {
	if f.modList == nil {
		var err error
		f.modList, f.modNames, err = f.dbi.parseModules()
		f.notes.error(err)
		if f.modList == nil {
			f.modList = []mod{}
		}
	}
	return f.modList
}

// Notes lists the damage, one sentence each. The list may grow as addresses are looked up.
func (f *File) Notes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.addr.omap; m != nil && m.work.Exceeded() {
		f.notes.add("the OMAP tables: the code of functions overlaps so often that not all of it was looked for; what is left out has no names")
	}
	return f.notes.all()
}

// notes are sentences about damage, without repetition.
type notes struct{ bin.Notes }

func (n *notes) add(format string, args ...any) { n.Add(fmt.Sprintf(format, args...)) }

func (n *notes) error(err error) {
	if err != nil {
		n.Add(err.Error())
	}
}

func (n *notes) all() []string {
	out, more := n.List()
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more defects", more))
	}
	return out
}
