//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"io/fs"
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

// giveTo gives a new file to the owner and the group of an old one, and reports whether its group is
// that group now. Only root may change the owner.
func giveTo(file *os.File, old fs.FileInfo) bool {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	return file.Chown(int(was.Uid), int(was.Gid)) == nil || file.Chown(-1, int(was.Gid)) == nil
}
