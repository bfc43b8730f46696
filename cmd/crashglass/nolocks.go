//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package main

import (
	"io/fs"
	"os"
)

// removesOpen states that a file cannot be removed while it is open.
const removesOpen = false

// lock does nothing: Windows does not remove a file that another run has open.
func lock(*os.File) bool { return true }

// giveTo does nothing: the new file inherits its permissions from its folder, as the old one did.
func giveTo(*os.File, fs.FileInfo) bool { return true }
