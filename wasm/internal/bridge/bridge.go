// Package bridge is the doorway between Go and JavaScript, and the only
// package that imports safejs.
//
// One Go function is made callable with [Serve]: it takes a request as JSON,
// the files that go with it, and a way to tell of progress, and it answers
// with JSON, with bytes, or with an error. Nothing is ever thrown across: a
// JavaScript exception becomes a Go error, a Go error becomes {error}, and so
// does a panic.
//
// That is the last line of defence and no licence. Running out of memory, deep
// recursion and concurrent map writes cannot be recovered; parsers bound what
// they do, and the page replaces a worker that dies or falls silent.
//
// A file is an io.ReaderAt over a JavaScript object with a size and a
// synchronous read(offset, count). It is read in pages, of which a [Cache]
// keeps the latest.
//
// The package knows nothing of dumps.
//
// Read this file first, then serve.go, file.go, pages.go and scratch.go.
package bridge

import "io"

// A Request is one call out of JavaScript.
type Request struct {
	JSON     []byte
	Files    []File
	Progress func(json []byte) error // tells the page; it hears at once, although Go is at work
	Scratch  Store                   // nil where the page has none
}

// A Store is a place of the page for bytes that are too many for memory. It stays
// one after the request that it came with.
type Store interface {
	io.ReaderAt
	io.WriterAt
}

// An Answer is what a call returns. Bytes are for what JSON would blow up.
type Answer struct {
	JSON  []byte
	Bytes []byte
}

// A File is one that the page handed over, read when its bytes are asked for.
type File struct {
	Path string
	*Pages
}
