//go:build unix

package local

import "syscall"

// nonBlocking opens a pipe without waiting for its writer.
const nonBlocking = syscall.O_NONBLOCK

// localDrive reports whether a path is not on a drive of a network. Only Windows has drives.
func localDrive(string) bool { return true }
