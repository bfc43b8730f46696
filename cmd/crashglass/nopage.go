//go:build !page

package main

import "io/fs"

// builtIn is nil: a plain go build needs only Go, and makes a program without the page.
var builtIn fs.FS
