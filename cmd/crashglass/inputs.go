package main

import (
	"errors"
	"os"
	"path/filepath"

	"crashglass/core/bin"
	"crashglass/symbols"
)

// An input is a path of the command line, or a file of a folder, that has
// dumps in it.
type input struct {
	path  string
	items []symbols.Item // what was found in it; nil for a minidump, which is opened in its turn
}

// inputs sorts the paths of the command line by what is in them: dumps are
// returned, symbols are kept. Folders may have both. A path that is no use costs
// one line and exit status 1.
func (f *files) inputs(c *cli, paths []string) (out []input) {
	var others []string // what the paths without a dump are
	for _, path := range paths {
		in, other, err := f.sort(c, path)
		switch {
		case err != nil:
			c.fail(path, err)
		case other != "":
			others = append(others, path+": "+other)
		}
		out = append(out, in...)
	}
	if len(out) == 0 {
		for _, line := range others {
			c.say(line)
			c.status = exitInput
		}
	}
	return out
}

// sort takes one path: the dumps in it or, where it has symbols alone, what it is.
func (f *files) sort(c *cli, path string) (dumps []input, other string, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		f.addFolder(path)
		dumps, err := f.dumpsOf(path)
		return dumps, "there is no dump in this folder", err
	}
	if isMinidump(path) {
		return []input{{path: path}}, "", nil
	}
	items, err := f.add(path)
	if err != nil {
		return nil, "", err
	}
	return f.sorted(c, path, items)
}

func (f *files) sorted(c *cli, path string, items []symbols.Item) (dumps []input, other string, err error) {
	has := map[symbols.Use]bool{}
	for _, item := range items {
		has[item.Use] = true
	}
	switch first := items[0]; {
	case has[symbols.IsDump]:
		return []input{{path, items}}, "", nil
	case has[symbols.IsSymbols]:
		f.take(c, path, items)
		return nil, notDump(first.Kind), nil
	case first.Message != "":
		return nil, "", errors.New(first.Message)
	default:
		return nil, "", errors.New(notDump(first.Kind))
	}
}

func notDump(k symbols.Kind) string {
	if k == symbols.Unknown {
		return "this is " + k.Sentence()
	}
	return "this is " + k.Sentence() + ", not a minidump"
}

// add gives a file to the store.
func (f *files) add(path string) ([]symbols.Item, error) {
	src, err := f.source(path)
	if err != nil {
		return nil, err
	}
	items := f.store.Add(filepath.ToSlash(path), src)
	if len(items) == 0 {
		return nil, errors.New(notDump(symbols.Unknown))
	}
	return items, nil
}

// with calls use with the dumps of an input, and closes what was opened for it.
func (f *files) with(in input, use func(d symbols.Item) error) error {
	before := len(f.open)
	if in.items == nil {
		items, err := f.add(in.path)
		if err != nil {
			return err
		}
		in.items = items
		defer f.closeFrom(before)
	}
	for _, item := range in.items {
		if item.Use != symbols.IsDump {
			continue
		}
		if err := use(item); err != nil {
			return err
		}
	}
	return nil
}

// closeFrom closes the files that were opened last.
func (f *files) closeFrom(n int) {
	for _, file := range f.open[n:] {
		file.Close()
	}
	f.open = f.open[:n]
}

// isMinidump looks at the first bytes of a file. What cannot be opened is none
// here; the error is found where it is said.
func isMinidump(path string) bool { return path != "-" && kindOf(path) == symbols.Minidump }

func kindOf(path string) symbols.Kind {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return symbols.Unknown // a pipe would lose what is read of it
	}
	file, err := os.Open(path)
	if err != nil {
		return symbols.Unknown
	}
	defer file.Close()
	src := bin.NewSource(file, info.Size())
	head, err := src.Read("start of the file", 0, uint64(min(src.Size(), symbols.SniffSize)))
	if err != nil {
		return symbols.Unknown
	}
	return symbols.Sniff(head)
}
