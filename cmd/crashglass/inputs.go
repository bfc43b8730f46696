package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/dump/container"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats/sniff"
)

// An input is a path of the command line, or a file in a folder, that contains dumps.
type input struct {
	path  string
	items []symbols.Item // its contents; nil for a minidump, which is opened later
}

// A found is the content of one path of the command line.
type found struct {
	path  string
	dumps []input
	items []symbols.Item // symbols and other members of the file; nil for a folder
	other string         // what the path is, if it has no dump
}

// inputs sorts the paths of the command line by content: it returns the dumps and keeps the
// symbols. A folder may have both. An unusable path costs one line and exit status 1.
func (f *files) inputs(c *cli, paths []string) (out []input) {
	var others []found
	for _, path := range paths {
		has, err := f.sort(path)
		switch {
		case err != nil:
			c.fail(path, err)
		case has.dumps == nil:
			others = append(others, has)
		}
		out = append(out, has.dumps...)
	}
	for _, o := range others {
		if len(out) == 0 {
			c.fail(o.path, errors.New(o.other))
		} else if o.items != nil {
			f.addItems(c, o.path, o.items)
		}
	}
	return out
}

// sort looks for dumps in one path or, if it has none, for symbols. A minidump, and a compressed file
// of one dump, is not opened yet: a folder may have thousands, and each is open only while it is read.
func (f *files) sort(path string) (has found, err error) {
	has.path = path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		f.addFolder(path)
		has.dumps, err = dumpsOf(path, maxListed)
		f.symbolPaths[len(f.symbolPaths)-1].used = len(has.dumps) > 0
		has.other = "there is no dump in this folder"
		return has, err
	}
	if isMinidump(path) || isPackedDump(path) {
		has.dumps = []input{{path: path}}
		return has, nil
	}
	if has.items, err = f.add(path); err != nil {
		return has, err
	}
	uses := map[symbols.Use]bool{}
	for _, item := range has.items {
		uses[item.Use] = true
	}
	first := has.items[0]
	has.other = notDump(first.Kind)
	switch {
	case uses[symbols.IsDump]:
		has.dumps = []input{{path, has.items}}
	case !uses[symbols.IsSymbols]:
		return has, errors.New(cmp.Or(first.Message, has.other))
	}
	return has, nil
}

// notDump returns the sentence for a file that is no dump: "this is a PDB file, not a minidump".
func notDump(k sniff.Kind) string {
	if k == sniff.Unknown {
		return "this is " + k.Sentence()
	}
	return "this is " + k.Sentence() + ", not a minidump"
}

// add gives a file to the symbol store, and returns what is in it: symbols, dumps, or members of an
// archive. A file of no known kind is an error.
func (f *files) add(path string) ([]symbols.Item, error) {
	src, err := f.source(path)
	if err != nil {
		return nil, err
	}
	items := f.store.Add(filepath.ToSlash(path), src)
	if len(items) == 0 {
		return nil, errors.New(notDump(sniff.Unknown))
	}
	return items, nil
}

// errSeveral refuses a file of several dumps where a command takes one.
var errSeveral = errors.New("there are several dumps in it: unpack it first")

// onlyInput returns the dump for a command that takes one at a time. If there is none or several,
// it prints the reason and sets the exit status in c.
func (f *files) onlyInput(c *cli, args []string, which string) (in input, ok bool) {
	inputs := f.inputs(c, args)
	if len(inputs) > 1 {
		c.status = c.wrong("%s", which)
	}
	if len(inputs) != 1 || c.status != exitOK {
		return input{}, false
	}
	return inputs[0], true
}

// A leftOut is the error of an archive whose dumps were read, except for some of its files.
type leftOut struct {
	count int
	why   string
}

func (l *leftOut) Error() string { return l.why }

// leftIn returns what was left out of an archive, or nil.
func leftIn(items []symbols.Item) error {
	var left leftOut
	first, more := "", 0
	for _, item := range items {
		switch left.count += item.Left; {
		case item.Left > 0 && left.why == "":
			first, left.why = item.Name, item.Message
		case item.Left > 0:
			more++
		}
	}
	switch {
	case left.count == 0:
		return nil
	case more > 0:
		left.why = fmt.Sprintf("%d of its files were not read, the first: %s: %s", left.count, first, left.why)
	}
	return &left
}

// partly reports what was not read of an input of which a dump was used, and returns any other error.
func (c *cli) partly(path string, err error) error {
	var some *partial
	if errors.As(err, &some) && some.used > 0 || errors.As(err, new(*leftOut)) {
		c.fail(path, err)
		return nil
	}
	return err
}

// with calls use with the dumps of an input, and then closes the files that it opened. An error of one of several
// dumps, also a panic, does not keep the others from being used, unless the output cannot be written. The error is
// then a partial, and a leftOut if all dumps were used, but not all of the input was read.
func (f *files) with(in input, use func(d symbols.Item) error) (err error) {
	defer bug.Catch(&err)
	before := len(f.open)
	if in.items == nil {
		defer f.closeFrom(before)
		if in.items, err = f.add(in.path); err != nil {
			return err
		}
	}
	dumps := 0
	for _, item := range in.items {
		if item.Use == symbols.IsDump {
			dumps++
		}
	}
	var all partial
	for _, item := range in.items {
		if item.Use != symbols.IsDump {
			continue
		}
		f.oneOfSeveral = dumps > 1
		err := all.add(item.Name, func() error { return use(item) })
		item.Release()
		if err != nil {
			return err
		}
	}
	return all.result(dumps, leftIn(in.items))
}

// sessions calls use with each dump of an input, ready to be analyzed: an archive and a log may have several. Those of a
// log are numbered in their names.
func (f *files) sessions(in input, use func(d symbols.Item, s *analyze.Session) error) error {
	return f.with(in, func(d symbols.Item) error {
		sessions, err := analyze.OpenAll(d.Source)
		if err != nil {
			return err
		}
		name := d.Name
		var all partial
		for i, s := range sessions {
			if len(sessions) > 1 {
				f.oneOfSeveral = true
				d.Name = fmt.Sprintf("%s, dump %d", name, i+1)
			}
			if err := all.add(d.Name, func() error { return use(d, s) }); err != nil {
				return err
			}
		}
		return all.result(len(sessions), nil)
	})
}

// one calls use with the dump of an input. Several dumps are refused, because there is one output.
func (f *files) one(in input, use func(d symbols.Item) error) error {
	return f.with(in, func(d symbols.Item) error {
		if f.oneOfSeveral {
			return errSeveral
		}
		return use(d)
	})
}

// each calls use with inputs in the order of the command line, and out is the file of --output. An input that cannot be used
// costs one line and exit status 1, unless the output cannot be written. If none can be used, the file is left as it was.
func (c *cli) each(inputs []input, out string, use func(in input) error) error {
	done := 0
	for _, in := range inputs {
		err := c.partly(in.path, use(in))
		switch {
		case errors.As(err, new(*outputError)):
			return err
		case err != nil:
			c.fail(in.path, err)
		default:
			done++
		}
	}
	if done == 0 && out != "" {
		return errors.New("is left as it was: there is no report")
	}
	return nil
}

// closeFrom closes the files after the first n, which are those of one dump.
func (f *files) closeFrom(n int) {
	for _, file := range f.open[n:] {
		file.Close()
	}
	f.open = f.open[:n]
}

// isMinidump looks at the first bytes of a file. It returns false if the file cannot be opened; a
// later step reports that error.
func isMinidump(path string) bool { return path != "-" && kindOf(path) == sniff.Minidump }

// kindOf identifies a file by its first bytes. An unreadable file is of an unknown kind.
func kindOf(path string) (kind sniff.Kind) {
	peek(path, func(src bin.Source) { kind = headKind(src) })
	return kind
}

// headKind identifies a source by its first bytes. A source that cannot be read is of an unknown kind.
func headKind(src bin.Source) sniff.Kind {
	head, err := src.Read("start of the file", 0, uint64(min(src.Size(), sniff.Size)))
	if err != nil {
		return sniff.Unknown
	}
	kind := sniff.Of(head)
	if kind.Text() {
		return sniff.InText(container.TextKind(bin.NewSource(bytes.NewReader(head), int64(len(head))), nil), kind)
	}
	return kind
}

// isPackedDump looks at the first decompressed bytes of a file. Only the dump that is being read is
// decompressed, so that many dumps need the room of one.
func isPackedDump(path string) (is bool) {
	peek(path, func(src bin.Source) {
		if path == "-" || !headKind(src).Compressed() {
			return
		}
		members, err := archive.List(path, src, archive.NewBudget(archive.Limits{Decompressors: decompress.All()}))
		if err != nil || len(members) != 1 {
			return
		}
		head, _ := members[0].Head(sniff.Size)
		is = sniff.Of(head).Dump()
	})
	return is
}

// peek calls use with a regular file, if the file can be opened.
func peek(path string, with func(bin.Source)) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return // reading from a pipe here would lose its bytes
	}
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	with(bin.NewSource(file, info.Size()))
}
