package main

import (
	"fmt"

	"crashglass/core/analyze"
	"crashglass/core/bug"
	"crashglass/symbols"
	"crashglass/wasm/internal/bridge"
)

// take takes files of any kind in any order. It does not analyse yet, so that symbols given with a
// dump are known before the analysis.
func (v *viewer) take(q *TakeRequest, files []bridge.File) *TakeResult {
	result := &TakeResult{Files: []FileResult{}, Opened: []KnownDump{}, Again: []int{}}
	dumps, news := v.sort(files, result)
	if news {
		for _, d := range v.dumps {
			result.Again = append(result.Again, d.number)
		}
	}
	numbers := numbering{next: q.Next, known: q.Known}
	for _, item := range dumps {
		opened, err := v.open(item, &numbers)
		message := item.Message
		if err != nil {
			message = err.Error()
		}
		result.Opened = append(result.Opened, opened...)
		result.Files = append(result.Files, FileResult{Name: item.Name, Kind: "dump", Message: sentence(message)})
	}
	return result
}

// sort gives files to the store, which keeps the symbols, and returns the dumps among them. News
// reports new symbols or views, which may change the reports of other dumps.
func (v *viewer) sort(files []bridge.File, result *TakeResult) (dumps []symbols.Item, news bool) {
	inStores := v.stores(files)
	for i, file := range files {
		v.meter.tell(Progress{Phase: "reading", File: file.Path, Done: int64(i), Total: int64(len(files))})
		src := sourceOf(file)
		if !file.Remote() {
			v.indexes.given(file.Path, src)
		} else {
			v.indexes.count++
		}
		if inStores[i] {
			news = true
			result.Files = append(result.Files, FileResult{Name: file.Path, Kind: "symbols"})
			continue
		}
		if views, err := v.addViews(file.Path, src); views {
			news = true
			result.Files = append(result.Files, FileResult{Name: file.Path, Kind: "views", Message: message(err)})
			continue
		}
		add := v.store.Add
		if file.Remote() {
			add = v.store.AddRemote
		}
		for _, item := range add(file.Path, src) {
			kind := "other"
			switch item.Use {
			case symbols.IsDump:
				dumps = append(dumps, item)
				continue
			case symbols.IsSymbols:
				kind, news = "symbols", true
			}
			result.Files = append(result.Files, FileResult{Name: item.Name, Kind: kind, Message: sentence(item.Message)})
		}
	}
	return dumps, news
}

// open opens each dump in a file: a log may have several microdumps.
func (v *viewer) open(item symbols.Item, numbers *numbering) (out []KnownDump, err error) {
	defer bug.Catch(&err)
	sessions, err := analyze.OpenAll(item.Source)
	if err != nil {
		return nil, err
	}
	for i, session := range sessions {
		d := &dump{name: item.Name, archive: item.Archive, session: session}
		if len(sessions) > 1 {
			d.name += fmt.Sprintf(" (%d of %d)", i+1, len(sessions))
		}
		d.number = numbers.of(d.name)
		v.dumps = append(v.dumps, d)
		out = append(out, KnownDump{Name: d.name, Dump: d.number})
	}
	return out, nil
}

// numbering gives dumps the numbers that they had before the worker was replaced, and new numbers
// to new dumps.
type numbering struct {
	next  int
	known []KnownDump
}

func (n *numbering) of(name string) int {
	for i, k := range n.known {
		if k.Name == name {
			n.known = append(n.known[:i:i], n.known[i+1:]...)
			return k.Dump
		}
	}
	n.next++
	return n.next - 1
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
