// Package bridge connects Go and JavaScript. It is the only package that imports safejs.
//
// [Serve] makes one Go function callable from JavaScript. It takes a request as JSON, files, and a
// function that reports progress; it answers with JSON, with bytes, or with an error. No exception
// crosses the boundary: a JavaScript exception becomes a Go error, and a Go error or a panic
// becomes {error}.
//
// This is the last line of defence. Running out of memory, deep recursion and concurrent map writes
// cannot be recovered. So parsers bound their work, and the page replaces a worker that dies or
// stops answering.
//
// A file is an io.ReaderAt over a JavaScript object with a size and a synchronous read(offset,
// count). It is read in pages, and a [Cache] keeps the latest ones.
//
// The package knows nothing about dumps.
//
// Read this file first, then serve.go, file.go, pages.go and scratch.go.
package bridge

import "io"

// A Request is one call out of JavaScript.
type Request struct {
	JSON     []byte
	Files    []File
	Progress func(json []byte) error // reports to the page, which gets it at once although Go is busy
	Scratch  Store                   // nil if the page has none
}

// A Store is a file of the page for bytes that do not fit into memory. It remains usable after the
// request that brought it.
type Store interface {
	io.ReaderAt
	io.WriterAt
}

// An Answer is the result of a call. Bytes are for data that would be much larger as JSON. About
// identifies what the answer is about, so that the page can tell it from another one's.
type Answer struct {
	JSON  []byte
	Bytes []byte
	About string
}

// A File belongs to the page. Its bytes are read on demand.
type File struct {
	Path    string
	Archive string // the compressed file that the page decompressed it from, or ""
	*Pages
}
