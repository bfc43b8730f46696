package main

import (
	"bytes"
	"fmt"
	"time"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols/share/capsule"
	"crashglass/wasm/internal/bridge"
)

// capsule makes a page with a dump inside. The first of the files is viewer.html,
// and the others are source files.
func (c *call) capsule(q *CapsuleRequest) (*MadeResult, error) {
	names, known := capsule.Names[string(q.Symbols)]
	if !known || len(c.files) == 0 {
		return nil, fmt.Errorf("viewer: a capsule of %d files with names %q", len(c.files), q.Symbols)
	}
	viewer, err := readAll(c.files[0])
	if err != nil {
		return nil, err
	}
	clean, err := sanitize.Clean(c.dump.session, c.store, sanitize.Options{Memory: q.Memory, Names: q.Names})
	if err != nil {
		return nil, err
	}
	page := capsule.Capsule{Pack: capsule.Stored, About: capsule.Of(time.Now(), true)}
	if !q.Names {
		page.Mask = sanitize.NewMasker(clean.People)
	}
	page.AddDump(module.Basename(c.dump.name), clean.Data)
	files, r, err := page.SymbolsOf(clean.Data, c.store, names)
	if err != nil {
		return nil, err
	}
	page.Files = append(page.Files, files...)
	addSources(&page, c.files[1:], r)
	var made bytes.Buffer
	if err := page.Write(&made, viewer); err != nil {
		return nil, err
	}
	return c.made(page.Files, made.Bytes(), clean.Changed), nil
}

// addSources adds, from the given source files, the lines around the frames. Of several files with
// one path it adds the first one.
func addSources(page *capsule.Capsule, sources []bridge.File, r *report.Report) {
	lines, left := capsule.Lines(r), int64(mostSources)
	for _, f := range sources {
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

func readAll(f bridge.File) ([]byte, error) {
	return sourceOf(f).Read(f.Path, 0, uint64(f.Size()))
}

// made attaches an archive or a page to the answer, and lists its contents.
func (c *call) made(files []capsule.File, data []byte, changed []string) *MadeResult {
	c.attached = data
	r := &MadeResult{Size: int64(len(data)), Changed: changed, Files: []MadeFile{}}
	for i := range files {
		r.Files = append(r.Files, MadeFile{Role: files[i].Role, Name: files[i].Name, Size: int64(len(files[i].Data))})
	}
	return r
}
