//go:build page

package main

import (
	"embed"
	"io/fs"
)

// embedded is the folder page/. "all:" includes files whose names begin with a dot or an underscore.
//
//go:embed all:page
var embedded embed.FS

// builtIn is the page, which ./build.sh program copies to page/ before it builds this program with
// -tags page.
var builtIn = func() fs.FS {
	page, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the name above is wrong
	}
	return page
}()
