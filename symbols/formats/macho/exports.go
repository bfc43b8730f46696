package macho

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/base/bin"
)

// Limits of the export trie. A node's name is the text of the edges that lead to it.
const (
	maxExports     = 1 << 22
	maxExportDepth = 1 << 10
	maxExportNames = 64 << 20

	exportReExport = 0x8 // flag of a symbol that another library has
	exportKind     = 0x3 // 0 is a regular symbol, 1 a thread-local, 2 an absolute one
)

// An exportWalk visits the trie of a library's exports. Only a damaged trie shares nodes, so each
// node is visited once.
//
// Source: Apple's mach-o/loader.h (struct dyld_info_command, export_off) and
// LLVM's lib/Object/MachOObjectFile.cpp (ExportEntry).
type exportWalk struct {
	f     *File
	data  []byte
	seen  map[uint64]bool
	path  []byte
	depth int
	texts []byte // names of symbols, each with a zero behind it
	out   []symbol
}

// addExports adds the symbols of the export trie: stripping leaves it, and so
// does hiding names.
func (f *File) addExports(t *symbols) {
	if f.exports.size == 0 || !f.hasCode() {
		return
	}
	src := f.source("exports", f.exports)
	data, err := src.ReadUpTo("macho: exports", 0, uint64(src.Size()))
	if err != nil {
		f.note("%v", err)
	}
	w := &exportWalk{f: f, data: data, seen: map[uint64]bool{}}
	w.node(0)
	text := bin.NewSource(bytes.NewReader(w.texts), int64(len(w.texts)))
	t.names = append(t.names, bin.NewPager("macho: names of exports", text, namesInCache))
	for _, s := range w.out {
		s.text = uint8(len(t.names) - 1)
		t.list = append(t.list, s)
	}
}

// node reads a node: what the symbol is that ends here, and edges to others.
func (w *exportWalk) node(at uint64) {
	if at >= uint64(len(w.data)) || w.seen[at] || len(w.seen) == maxExports || w.depth == maxExportDepth || len(w.path) > maxSymbolName {
		return
	}
	w.seen[at] = true
	w.depth++
	defer func() { w.depth-- }()
	size, n := binary.Uvarint(w.data[at:])
	rest := w.data[at+uint64(max(n, 0)):]
	if n <= 0 || size >= uint64(len(rest)) {
		return
	}
	if size > 0 {
		w.symbol(rest[:size])
	}
	edges := rest[size]
	rest = rest[size+1:]
	for range edges {
		end := bytes.IndexByte(rest, 0)
		if end < 0 {
			return
		}
		child, n := binary.Uvarint(rest[end+1:])
		if n <= 0 {
			return
		}
		before := len(w.path)
		w.path = append(w.path, rest[:end]...)
		w.node(child)
		w.path = w.path[:before]
		rest = rest[end+1+n:]
	}
}

// symbol keeps a symbol of code: flags, then its address from __TEXT.
func (w *exportWalk) symbol(data []byte) {
	flags, n := binary.Uvarint(data)
	if n <= 0 || flags&exportReExport != 0 || flags&exportKind != 0 {
		return
	}
	rel, n := binary.Uvarint(data[n:])
	if n <= 0 || w.f.codeAt(rel) == nil || len(w.texts)+len(w.path) > maxExportNames {
		return
	}
	w.out = append(w.out, symbol{addr: rel, name: uint32(len(w.texts))})
	w.texts = append(append(w.texts, w.path...), 0)
}
