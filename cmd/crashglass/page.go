//go:build page

package main

import (
	"embed"
	"io/fs"

	"crashglass/cmd/internal/page"
)

// embedded is the folder page/. "all:" includes files whose names begin with a dot or an underscore.
//
//go:embed all:page
var embedded embed.FS

// builtIn is the page, which ./build.sh program stores in page/ before it builds this program with
// -tags page.
var builtIn fs.FS = func() fs.FS {
	stored, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the name above is wrong
	}
	return page.FS{Stored: stored, Programs: &page.Programs{}}
}()
