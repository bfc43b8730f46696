package elf

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/formats/breakpad"

	"github.com/ianlancetaylor/demangle"
)

// A pair is a file and the .sym that dump_syms made of it.
type pair struct {
	file   string   // in the corpus
	attach []string // files that belong to it
	sym    string   // pattern
}

// pairs are all ELF files of the corpus that have a .sym.
func pairs() (out []pair) {
	linux := "public/native/dump_syms/linux/"
	out = []pair{
		{linux + "basic.full", nil, linux + "basic.full.inlines.sym"},
		{linux + "basic.dbg", nil, linux + "basic.full.inlines.sym"},
		{linux + "basic.stripped", []string{linux + "basic.dbg"}, linux + "basic.full.inlines.sym"},
		{linux + "basic.dwz", nil, linux + "basic.dwz.inlines.sym"},
		{linux + "basic.minidebuginfo", nil, linux + "basic.minidebuginfo.sym"},
		{"public/native/symbolic/linux/crash", nil, "public/native/symbolic/linux/crash.sym"},
	}
	for _, name := range []string{"arm64_abort", "arm64_static_fp", "arm_arm", "mipsel_leaf", "riscv64_leaf", "sighandler_o2",
		"threads32", "threads_o2", "trap_o2", "vcall_o2", "x86_q_leaf"} {
		out = append(out, pair{"real/native/" + name, nil, "real/symbols/" + name + "/*/*.sym"})
	}
	return out
}

// open opens both, and returns the addresses to compare at.
func (p pair) open(t *testing.T) (*File, *breakpad.File, []uint64) {
	f := openCorpus(t, p.file)
	for _, name := range p.attach {
		if err := f.Attach(openCorpus(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	names, _ := filepath.Glob(filepath.Join(corpus, p.sym))
	if len(names) != 1 {
		t.Fatalf("%s: %d files", p.sym, len(names))
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	sym, err := breakpad.Open(bin.NewSource(bytes.NewReader(text), int64(len(text))), breakpad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m marks
	m.ofLister(t, f)
	m.ofSym(string(text))
	return f, sym, m.sorted()
}

// marks collects addresses at which an answer may change, and the last ones before.
type marks []uint64

func (m *marks) add(start, size uint64) { *m = append(*m, start, start+size, start+size-1) }

// ofLister marks what a source lists.
func (m *marks) ofLister(t *testing.T, src symbolize.Lister) {
	err := src.EachFunction(func(f *symbolize.Function) error {
		m.add(f.Start, f.Size)
		for _, l := range f.Lines {
			m.add(l.Start, l.Size)
		}
		for _, c := range f.Inlines {
			for _, r := range c.Ranges {
				m.add(r.Start, r.Size)
			}
		}
		return nil
	})
	if err == nil {
		err = src.EachPublic(func(p symbolize.Public) error {
			m.add(p.Start, 1)
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ofSym marks what the records of a .sym file say.
func (m *marks) ofSym(text string) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		var ranges []string
		switch f[0] {
		case "MODULE", "INFO", "FILE", "INLINE_ORIGIN", "STACK":
			continue
		case "FUNC", "PUBLIC":
			if f[1] == "m" {
				f = f[1:]
			}
			if ranges = f[1:3]; f[0] == "PUBLIC" {
				ranges = []string{f[1], "1"}
			}
		case "INLINE":
			ranges = f[5:]
		default:
			ranges = f[:2]
		}
		for ; len(ranges) >= 2; ranges = ranges[2:] {
			start, _ := strconv.ParseUint(ranges[0], 16, 64)
			size, _ := strconv.ParseUint(ranges[1], 16, 64)
			m.add(start, size)
		}
	}
}

func (m marks) sorted() []uint64 {
	slices.Sort(m)
	return slices.Compact(m)
}

// plain is a name without what demanglers spell differently: arguments and
// the arguments of templates, spaces, and what compilers append.
func plain(name string) string {
	name = demangle.Filter(name, demangle.NoParams, demangle.NoClones)
	name = strings.ReplaceAll(name, "(anonymous namespace)", "{anonymous}")
	name, _, _ = strings.Cut(name, " [clone")
	for _, qualifier := range []string{" &&", " &", " const"} {
		name = strings.TrimSuffix(name, qualifier)
	}
	var out strings.Builder
	depth := 0
	for i, c := range name {
		if op := strings.TrimPrefix(name[i:], "operator"); depth == 0 && len(op) < len(name)-i && strings.ContainsAny(op[:1], "<>(-") {
			return out.String() + name[i:i+len("operator")+1]
		}
		switch {
		case c == '<' || c == '(':
			depth++
		case c == '>' || c == ')':
			depth--
		case depth == 0 && c == ' ':
			out.Reset() // it was the type of the result
		case depth == 0:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// comparable is an answer with plain names, without the size of a symbol, which a .sym has no field
// for, and without where its line begins:
// dump_syms joins and splits lines at inlined calls.
func comparable(l symbolize.Location) symbolize.Location {
	l.Function, l.Linkage, l.LineStart, l.Multiple, l.Stated = plain(l.Function), "", 0, false, 0
	l.Inlines = slices.Clone(l.Inlines)
	for i := range l.Inlines {
		l.Inlines[i].Function = plain(l.Inlines[i].Function)
	}
	return l
}
