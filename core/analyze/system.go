package analyze

import (
	"path"
	"slices"
	"strings"

	"crashglass/core/module"
)

// isSystemPath reports whether a module belongs to the operating system, by
// the place that it was loaded from. A place is a convention: what an
// administrator put there counts as well.
func isSystemPath(os, file string) bool {
	switch os {
	case "windows":
		return windowsSystem(strings.ToLower(file))
	case "mac", "ios":
		return underAny(file, "/usr/lib", "/System", "/Library/Apple", "/private/preboot/Cryptexes")
	case "android":
		return underAny(file, "/system", "/apex", "/vendor", "/system_ext", "/product") || kernelModule(file)
	}
	return unixSystem(file) || kernelModule(file)
}

// windowsSystem accepts whatever lies below the Windows folder on any drive,
// and Windows' own names where the dump has names without folders.
func windowsSystem(file string) bool {
	name := module.Basename(file)
	if name == file {
		return slices.Contains(windowsCore, name)
	}
	return strings.Contains(file, `:\windows\`) || strings.HasPrefix(file, `\systemroot\`) || strings.HasPrefix(file, `\windows\`)
}

var windowsCore = []string{
	"ntdll.dll", "kernel32.dll", "kernelbase.dll", "user32.dll", "gdi32.dll", "win32u.dll", "advapi32.dll",
	"msvcrt.dll", "ucrtbase.dll", "rpcrt4.dll", "sechost.dll", "ole32.dll", "combase.dll", "shell32.dll",
	"ws2_32.dll", "wow64.dll", "wow64cpu.dll", "wow64win.dll",
}

// unixSystem accepts the linker's own folders, with or without a folder for
// the architecture in between, but not folders below them: /usr/lib/chromium
// is an application.
func unixSystem(file string) bool {
	dir := path.Dir(path.Clean(file))
	if i := strings.LastIndexByte(dir, '/'); i > 0 && strings.Contains(dir[i:], "-linux-") {
		dir = dir[:i]
	}
	return slices.Contains(linkerFolders, dir)
}

// linkerFolders are ld.so(8)'s, and those of distributions that keep several
// architectures beside each other.
var linkerFolders = []string{
	"/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
}

// kernelModule accepts what the kernel maps into every process (vdso(7)).
func kernelModule(file string) bool {
	return strings.HasPrefix(file, "linux-gate.so") || strings.HasPrefix(file, "linux-vdso") || file == "[vdso]"
}

func underAny(file string, folders ...string) bool {
	for _, f := range folders {
		if strings.HasPrefix(file, f+"/") {
			return true
		}
	}
	return false
}
