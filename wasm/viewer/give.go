package main

import (
	"bytes"
	"fmt"
	"time"

	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols/capsule"
	"crashglass/wasm/internal/bridge"
)

// slice makes an archive of the symbol records that a dump's stacks need.
func (v *viewer) slice(q *SliceRequest) (*MadeResult, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	names, known := capsule.Names[q.Symbols]
	if !known {
		return nil, fmt.Errorf("viewer: no names %q", q.Symbols)
	}
	var mask *sanitize.Masker
	if !q.Names {
		mask = sanitize.NewMasker(sanitize.People(d.session))
	}
	files, _, err := capsule.Symbols(d.session, v.store, names, mask)
	if err != nil {
		return nil, err
	}
	var made bytes.Buffer
	if err := capsule.Tar(&made, files); err != nil {
		return nil, err
	}
	return d.made(files, made.Bytes(), []string{}), nil
}

// capsule makes a page with a dump inside. The first of the files is viewer.html,
// and the others are source files.
func (v *viewer) capsule(q *CapsuleRequest, given []bridge.File) (*MadeResult, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	names, known := capsule.Names[q.Symbols]
	if !known || len(given) == 0 {
		return nil, fmt.Errorf("viewer: a capsule of %d files with names %q", len(given), q.Symbols)
	}
	viewer, err := readAll(given[0])
	if err != nil {
		return nil, err
	}
	clean, err := sanitize.Clean(d.session, v.store, sanitize.Options{Memory: q.Memory, Names: q.Names})
	if err != nil {
		return nil, err
	}
	page := capsule.Capsule{Pack: capsule.Stored, About: capsule.Of(time.Now(), true)}
	if !q.Names {
		page.Mask = sanitize.NewMasker(clean.People)
	}
	page.AddDump(module.Basename(d.name), clean.Data)
	files, r, err := page.SymbolsOf(clean.Data, v.store, names)
	if err != nil {
		return nil, err
	}
	page.Files = append(page.Files, files...)
	addSources(&page, given[1:], r)
	var made bytes.Buffer
	if err := page.Write(&made, viewer); err != nil {
		return nil, err
	}
	return d.made(page.Files, made.Bytes(), clean.Changed), nil
}

// addSources adds, from the given source files, the lines around the frames. Of several files with
// one path it adds the first one.
func addSources(page *capsule.Capsule, given []bridge.File, r *report.Report) {
	lines, left := capsule.Lines(r), int64(mostSources)
	for _, f := range given {
		if len(lines[f.Path]) == 0 || f.Size() > min(mostSource, left) {
			continue
		}
		if text, err := readAll(f); err == nil {
			page.AddSource(f.Path, text, lines[f.Path])
			delete(lines, f.Path)
			left -= int64(len(text))
		}
	}
}

// mostSource bounds the size of a source file, and mostSources that of all together. The page shows
// none that is larger than mostSource: largestSource in web/src/frame/source.ts.
const (
	mostSource  = 8 << 20
	mostSources = 64 << 20
)

// readAll reads a file into memory.
func readAll(f bridge.File) ([]byte, error) {
	return sourceOf(f).Read(f.Path, 0, uint64(f.Size()))
}

// made keeps the archive or page until the page asks for it, and says what it contains.
func (d *dump) made(files []capsule.File, data []byte, changed []string) *MadeResult {
	d.clean = data
	r := &MadeResult{Size: int64(len(data)), Changed: changed, Files: []MadeFile{}}
	for i := range files {
		r.Files = append(r.Files, MadeFile{Role: files[i].Role, Name: files[i].Name, Size: int64(len(files[i].Data))})
	}
	return r
}
