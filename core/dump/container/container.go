// Package container opens a file with crash dumps of any kind. Each dump becomes a [process.Process],
// so that nothing behind this package depends on the kind of file. A kind of file is a package and a
// row; archives are package symbols' business.
package container

import (
	"cmp"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/dump/elfcore"
	"crashglass/core/dump/kernel"
	"crashglass/core/dump/microdump"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/dump/text"
	"crashglass/core/dump/text/abrt"
	"crashglass/core/dump/text/android"
	"crashglass/core/dump/text/apple"
	"crashglass/core/dump/text/backtrace"
	"crashglass/core/dump/text/debugger"
	"crashglass/core/dump/text/golang"
	"crashglass/core/dump/text/hotspot"
	"crashglass/core/dump/text/kernellog"
	"crashglass/core/dump/text/managed"
	"crashglass/core/dump/text/markup"
	"crashglass/core/dump/text/oops"
	"crashglass/core/dump/text/ruby"
	"crashglass/core/dump/text/rust"
	"crashglass/core/dump/text/sanitizer"
	"crashglass/core/dump/text/stackwalk"
	"crashglass/core/dump/text/systemd"
	"crashglass/core/dump/text/unreal"
	"crashglass/core/dump/text/wer"
	"crashglass/core/dump/text/windbg"
	"crashglass/core/process"
)

// A Dump is a captured process.
type Dump struct {
	Process *process.Process

	// File has the streams of a minidump. It is nil for a file of another kind.
	File *minidump.File
}

// Texts lists the kinds of reports that are text.
func Texts() []string { return text.Kinds(texts) }

// TextKind returns the kind of the first dump or report in a text file, wherever it begins, or "". It stops
// without a result if progress, which may be nil, returns an error.
func TextKind(src bin.Source, progress func(done int64) error) string {
	return firstText(src, progress)
}

var firstText = text.First(inText)

// inText are the families of texts, and microdumps, whose first line suffices.
var inText = append(texts[:len(texts):len(texts)], text.Family{Kinds: []string{microdumps}, Marks: []string{microdump.Begin}, Read: func(*text.Lines) []*process.Process {
	return []*process.Process{{Origin: process.Origin{Kind: microdumps}}}
}})

const microdumps = "microdump"

// openTexts opens the microdumps of a log, or else the reports that are text.
func openTexts(src bin.Source) ([]*process.Process, bool, error) {
	all, found, err := openText(src)
	if slices.ContainsFunc(all, func(p *process.Process) bool { return p.Origin.Kind == microdumps }) {
		return microdump.OpenAll(src)
	}
	return all, found, err
}

var openText = text.OpenAll(inText)

// A reader opens the dumps of a file of one kind. It reports false for a file of another kind; the
// error is then its reason.
type reader func(src bin.Source) (dumps []Dump, found bool, err error)

// A row is a reader with the kinds of files that it opens, as [process.Origin] has them.
type row struct {
	kinds []string
	open  reader
}

// All but the last are recognized by their first bytes. Other files are searched for microdumps and reports that are text.
var rows = []row{
	{[]string{"minidump"}, openMinidump},
	{[]string{"ELF core"}, processes(elfcore.OpenAll)},
	{[]string{kernel.Kind}, processes(kernel.OpenAll)},
	{[]string{android.ProtoKind}, processes(android.OpenProto)},
	{text.Kinds(inText), processes(openTexts)},
}

// texts are the kinds of reports that are text. Files without another kind of dump are searched for them.
var texts = []text.Family{
	sanitizer.Family, android.Family, android.Threads, android.Exits, apple.Family, golang.Family, rust.Family, hotspot.Family, systemd.Family, unreal.Family,
	kernellog.Family, oops.Family, managed.Family, ruby.Family, markup.Family, abrt.Family, wer.Family, windbg.Family, stackwalk.Family, debugger.Family, backtrace.Family,
}

// Kinds lists the kinds of files.
func Kinds() (all []string) {
	for _, r := range rows {
		all = append(all, r.kinds...)
	}
	return all
}

// processes is a reader of a kind of file without streams. A process without a hash gets that of the
// file.
func processes(open func(src bin.Source) ([]*process.Process, bool, error)) reader {
	return func(src bin.Source) ([]Dump, bool, error) {
		list, found, err := open(src)
		var dumps []Dump
		for _, p := range list {
			if p.Hash == "" {
				hash, err := process.Digest(src)
				p.Hash = hash
				p.Note(err)
			}
			dumps = append(dumps, Dump{Process: p})
		}
		return dumps, found, err
	}
}

// OpenAll opens every dump of a file. It fails only for a file that has no readable dump.
func OpenAll(src bin.Source) ([]Dump, error) {
	var refused error
	for _, r := range rows {
		dumps, found, err := r.open(src)
		if found {
			return dumps, err
		}
		refused = cmp.Or(refused, err)
	}
	return nil, refused
}

func openMinidump(src bin.Source) ([]Dump, bool, error) {
	f, err := minidump.Open(src)
	if err != nil {
		return nil, false, err
	}
	return []Dump{Minidump(f)}, true, nil
}

// Minidump returns the dump of a minidump.
func Minidump(f *minidump.File) Dump { return Dump{f.Process(), f} }

// Streams returns the streams of a dump. A file that is no minidump is laid out as one: its memory is
// still read from the file. It fails only for a process that no minidump has room for.
func (d *Dump) Streams() (*minidump.File, error) {
	if d.File != nil {
		return d.File, nil
	}
	view, err := write.Whole(d.Process)
	if err != nil {
		return nil, err
	}
	return minidump.Open(view)
}

// StatedSize returns the size of a dump by its first bytes, or 0. A core is as large as its process
// and may be mostly zeros, so a large size is no sign of a decompression bomb.
func StatedSize(head []byte) int64 { return elfcore.StatedSize(head) }
