//go:build !page

package main

import "io/fs"

// builtIn is nil: go build alone needs nothing but Go, and makes a program
// without the page.
var builtIn fs.FS
