//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package main

import "os"

// removesOpen says that a file can be removed while it is open.
const removesOpen = false

// lock does nothing: Windows does not remove a file that another run has open.
func lock(*os.File) bool { return true }
