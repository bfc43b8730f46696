package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"crashglass/core/analyze"
	"crashglass/core/base/bug"
	"crashglass/core/process/module"
	"crashglass/symbols"
	"crashglass/symbols/formats"
	"crashglass/wasm/internal/bridge"
)

// openFiles does not analyse yet, so that symbols that come with a dump are known before the analysis.
func (c *call) openFiles(q *OpenRequest) (*OpenResult, error) {
	result := &OpenResult{Files: []FileResult{}, Opened: []KnownDump{}, Again: []int{}}
	dumps, changed := c.sort(c.files, result)
	if changed {
		for _, d := range c.dumps {
			result.Again = append(result.Again, d.number)
		}
	}
	numbers := numbering{next: q.Next, known: slices.Clone(q.Known), restores: q.Restores}
	for i, item := range dumps {
		if len(c.dumps) >= mostDumps {
			result.Files = append(result.Files, tooMany(dumps[i:]))
			break
		}
		c.meter.report(Progress{Phase: Opening, File: item.Name, Done: int64(i), Total: int64(len(dumps))})
		opened, err := c.open(item, &numbers)
		message, left := item.Message, item.Left
		if err != nil {
			message, left = err.Error(), max(1, item.Left)
		}
		result.Opened = append(result.Opened, opened...)
		result.Files = append(result.Files, FileResult{Name: item.Name, Kind: KindDump, Message: sentence(message), Left: left})
	}
	return result, nil
}

// mostDumps bounds the dumps that are open at once. The page has a report of each, and a browser's tab
// has room for some gigabytes.
const mostDumps = 10_000

// tooMany releases dumps for which there is no room, and says so.
func tooMany(dumps []found) FileResult {
	for _, item := range dumps {
		item.Release()
		item.release()
	}
	text := fmt.Sprintf("%s not opened: %d are open, which is the most; triage on the command line has no such limit", were(len(dumps)), mostDumps)
	return FileResult{Name: dumps[0].Name, Kind: KindOther, Message: sentence(text), Left: len(dumps)}
}

func were(dumps int) string {
	if dumps == 1 {
		return "1 dump was"
	}
	return fmt.Sprintf("%d dumps were", dumps)
}

// A found is a dump among the files, and what frees its file.
type found struct {
	symbols.Item
	release func()
}

// sort gives files to the store, which keeps the symbols, and returns the dumps among them. changed
// reports new symbols or views, which may change the reports of other dumps. A file without a use
// is closed.
func (v *viewer) sort(files []bridge.File, result *OpenResult) (dumps []found, changed bool) {
	inStores := v.stores(files)
	for i, file := range files {
		v.meter.report(Progress{Phase: Opening, File: file.Path, Done: int64(i), Total: int64(len(files))})
		src := sourceOf(file)
		if !file.Remote() {
			v.indexes.add(file.Path, src)
		} else {
			v.indexes.count++
		}
		if inStores[i] {
			changed = true
			result.Files = append(result.Files, FileResult{Name: file.Path, Kind: KindSymbols})
			continue
		}
		free := func() {
			file.Close()
			v.indexes.closed(file.Path)
		}
		if views, err := v.addViews(file.Path, src); views {
			changed = true
			result.Files = append(result.Files, FileResult{Name: file.Path, Kind: KindViews, Message: message(err)})
			free()
			continue
		}
		add := v.store.Add
		if file.Remote() {
			add = v.store.AddRemote
		}
		items := add(file.Path, src)
		release := afterAll(len(items)-unused(items), free) // symbols are never released
		for _, item := range items {
			kind := KindOther
			switch item.Use {
			case symbols.IsDump:
				if file.Archive != "" {
					item.Archive = append([]string{file.Archive}, item.Archive...)
				}
				dumps = append(dumps, found{item, release})
				continue
			case symbols.IsSymbols:
				kind, changed = KindSymbols, true
			}
			result.Files = append(result.Files, FileResult{Name: item.Name, Kind: kind, Message: sentence(item.Message), Left: item.Left})
		}
	}
	return dumps, changed
}

func unused(items []symbols.Item) (n int) {
	for i := range items {
		if items[i].Use == symbols.Nothing {
			n++
		}
	}
	return n
}

// afterAll returns a function that calls free when it was called n times. If n is 0 it calls free
// now.
func afterAll(n int, free func()) func() {
	if n == 0 {
		free()
	}
	return func() {
		if n--; n == 0 {
			free()
		}
	}
}

// open opens each dump in a file: a log may have several microdumps.
func (v *viewer) open(item found, numbers *numbering) (out []KnownDump, err error) {
	defer bug.Catch(&err)
	sessions, err := analyze.OpenAll(item.Source)
	release := afterAll(len(sessions), func() {
		item.Release()
		item.release()
	})
	for i, session := range sessions {
		name := item.Name
		if len(sessions) > 1 {
			name += fmt.Sprintf(" (%d of %d)", i+1, len(sessions))
		}
		d := &dump{name: name, identity: session.Hash() + " " + name, archive: item.Archive, session: session, release: release}
		known := false
		if d.number, known = numbers.of(d.identity); !known {
			release()
			continue
		}
		if slices.ContainsFunc(v.dumps, func(other *dump) bool { return other.number == d.number }) {
			release()
			err = fmt.Errorf("viewer: dump %d is open already", d.number)
			continue
		}
		v.dumps = append(v.dumps, d)
		out = append(out, KnownDump{Dump: d.number, Identity: d.identity})
	}
	return out, err
}

// close closes dumps, and releases what only they use: their files, and what was read of symbols.
// The worker's memory never shrinks, so garbage must not wait until another dump has taken as much.
func (c *call) close(q *CloseRequest) (empty, error) {
	var left []*dump
	var used []module.Module
	for _, d := range c.dumps {
		if slices.Contains(q.Dumps, d.number) {
			d.release()
		} else {
			left, used = append(left, d), append(used, d.session.Modules()...)
		}
	}
	if len(left) == len(c.dumps) {
		return empty{}, nil
	}
	c.dumps = left
	c.indexes.unload(c.store.Unload(used))
	runtime.GC()
	return empty{}, nil
}

// numbering gives new numbers to new dumps. If files are given again, it gives the known dumps
// their old numbers, and no number to others.
type numbering struct {
	next     int
	known    []KnownDump
	restores bool
}

func (n *numbering) of(identity string) (number int, known bool) {
	if !n.restores {
		n.next++
		return n.next - 1, true
	}
	i := slices.IndexFunc(n.known, func(k KnownDump) bool { return k.Identity == identity })
	if i < 0 {
		return 0, false
	}
	number = n.known[i].Dump
	n.known = slices.Delete(n.known, i, i+1)
	return number, true
}

// message is the text of an error, if there is one.
func message(err error) *string {
	if err == nil {
		return nil
	}
	return sentence(err.Error())
}

// sentence is a message that may be missing.
func sentence(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// A patience limits the time for reading libraries and debug information while the page asks for
// the crashing thread. When it is over, the page shows the certain part and asks again, and reading
// continues where it stopped.
type patience struct {
	bounded  bool
	until    time.Time
	exceeded bool
	now      func() time.Time
}

func (p *patience) begin(q *ReportRequest) {
	*p = patience{bounded: q.Crashing && q.Workers > 0, now: p.now}
	p.until = p.now().Add(time.Duration(q.Patience) * time.Millisecond)
}

// end reports whether a question was left unanswered since begin.
func (p *patience) end() bool {
	p.bounded = false
	return p.exceeded
}

// beforeRead is called before and during the reading of large parts of a file.
func (p *patience) beforeRead() error {
	if p.bounded && !p.now().Before(p.until) {
		p.exceeded = true
		return formats.ErrPending
	}
	return nil
}
