//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"os"
	"syscall"
)

// removesOpen states that a file can be removed while it is open.
const removesOpen = true

// lock locks an open file until it is closed, and reports whether it was free. A file on a file system
// without locks, such as some network shares, counts as free. A lock ends with its process, also when
// that is killed; a file with the number of a process would outlive it.
func lock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err != syscall.EWOULDBLOCK
}
