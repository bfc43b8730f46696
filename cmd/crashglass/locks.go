//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"os"
	"syscall"
)

// removesOpen states that a file can be removed while it is open.
const removesOpen = true

// lock locks an open file until it is closed, and reports whether it was free.
// A file on a file system without locks counts as free.
func lock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err != syscall.EWOULDBLOCK
}
