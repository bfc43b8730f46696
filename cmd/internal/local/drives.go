//go:build windows

package local

import "golang.org/x/sys/windows"

// nonBlocking is 0: Windows has pipes only below \\.\pipe\, which is refused.
const nonBlocking = 0

// localDrive reports whether a path is not on a drive of a network.
func localDrive(path string) bool {
	if len(path) < 3 || path[1] != ':' {
		return false
	}
	root, err := windows.UTF16PtrFromString(path[:2] + `\`)
	return err == nil && windows.GetDriveType(root) != windows.DRIVE_REMOTE
}
