package analyze

import (
	"path"
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// isSystem reports whether a module belongs to the operating system. In a dump of the kernel, all drivers are below the Windows
// folder, and only the kernel itself and the drivers that others are built on count.
func (s *Session) isSystem(m *module.Module) bool {
	if s.p.Event.IsBugCheck() {
		name := strings.ToLower(m.Name())
		return slices.Contains(kernelCore, name) || beginsWithAny(name, kernelNames)
	}
	return isSystemPath(s.os, m.CodeFile)
}

// kernelCore are the kernel, its libraries, and Microsoft's port, class and framework drivers, in lower case. kernelNames are
// beginnings of names. Source: Microsoft, "Introduction to Port and Class Drivers" and the pages of each technology in
// windows-driver-docs.
var (
	kernelCore = []string{
		"hal.dll", "bootvid.dll", "kdcom.dll", "kd.dll", "pshed.dll", "ci.dll", "clfs.sys", "tm.sys", "werkernel.sys", "verifierext.sys", "wdf01000.sys",
		"wdfldr.sys", "wdiwifi.sys", "wpprecorder.sys", "fltmgr.sys", "ndis.sys", "netio.sys", "storport.sys", "scsiport.sys", "ataport.sys", "classpnp.sys",
		"ks.sys", "portcls.sys", "drmk.sys", "usbport.sys", "usbd.sys", "ucx01000.sys", "hidclass.sys", "videoprt.sys", "watchdog.sys", "cng.sys", "ksecdd.sys",
		"msrpc.sys", "acpiex.sys", "spbcx.sys", "gpioclx.sys", "serclx2.sys", "bthport.sys",
	}
	kernelNames = []string{"ntoskrnl.", "ntkrnl", "ntkrp", "hal", "win32k", "dxgkrnl.", "dxgmms", "kd_", "securekernel", "skci."}
)

// isSystemPath reports whether a module belongs to the operating system, by its folder. Folders are
// a convention: a module that an administrator put there counts, too.
func isSystemPath(os process.OS, file string) bool {
	switch {
	case os.IsWindows():
		return windowsSystem(strings.ToLower(file))
	case os.IsApple():
		return appleSystem(file)
	case os.IsAndroid():
		return underAny(file, "/system", "/apex", "/vendor", "/system_ext", "/product") || module.IsVDSO(file) || namedSystem(file, androidNames)
	}
	return unixSystem(file) || module.IsVDSO(file) || beginsWithAny(module.Basename(file), libcNames) || namedSystem(file, unixNames)
}

// appleSystem accepts the system's folders, also where a simulator has them
// below its runtime, or Xcode the copies of a device's.
func appleSystem(file string) bool {
	for _, root := range []string{"/RuntimeRoot", "/Symbols"} {
		if i := strings.Index(file, root+"/"); i >= 0 {
			file = file[i+len(root):]
		}
	}
	return underAny(file, "/usr/lib", "/System", "/Library/Apple", "/private/preboot/Cryptexes") || namedSystem(file, appleNames)
}

// namedSystem accepts modules by name if the dump has no folders. Crashpad on Linux writes sonames,
// and microdumps only the last part of the path.
func namedSystem(file string, names []string) bool {
	return module.Basename(file) == file && beginsWithAny(file, names)
}

func beginsWithAny(name string, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(name, b) })
}

// libcNames are the file names of C libraries and of the loader. They belong to the system in any
// folder: the sysroot of a cross compiler, a snap, Nix.
var libcNames = []string{
	"libc.so.6", "libc-2.", "libc.musl-", "libpthread.so.", "libpthread-2.", "libm.so.6", "libm-2.", "libdl.so.2", "libdl-2.",
	"librt.so.1", "librt-2.", "libresolv.so.2", "libresolv-2.", "ld-linux", "ld-2.", "ld-musl-", "ld.so.", "ld64.so.",
}

// unixNames are prefixes of the names of distributions' libraries.
var unixNames = []string{
	"libstdc++.so", "libgcc_s.so", "libglib-2.0", "libgobject-2.0", "libgio-2.0", "libgmodule-2.0", "libgthread-2.0", "libgtk-", "libgdk-",
	"libX11", "libXext", "libxcb", "libwayland-", "libdbus-1", "libsystemd", "libudev", "libGL", "libEGL", "libdrm", "libgbm", "libvulkan",
	"libasound", "libpulse", "libpipewire", "libssl.so", "libcrypto.so", "libz.so", "libselinux", "libfontconfig", "libfreetype",
	"libcairo", "libpango", "libnss_", "libffi.so", "libpcre", "libexpat", "libuuid", "libmount", "libblkid",
}

var androidNames = []string{
	"libc.so", "libm.so", "libdl.so", "linker", "liblog.so", "libart.so", "libartbase.so", "libandroid_runtime.so", "libutils.so", "libcutils.so",
	"libbinder.so", "libhwui.so", "libui.so", "libgui.so", "libEGL.so", "libGLES", "libvulkan.so", "libc++.so", "libbase.so", "app_process", "boot",
}

var appleNames = []string{
	"libsystem_", "libSystem", "libdyld", "dyld", "libobjc.", "libc++", "libdispatch", "libxpc", "libswift", "CoreFoundation", "Foundation",
	"AppKit", "UIKit", "QuartzCore", "CFNetwork", "IOKit", "Security", "HIToolbox", "Metal", "GraphicsServices", "FrontBoardServices",
}

// windowsSystem accepts whatever lies below the Windows folder on any drive,
// and Windows' own names where the dump has names without folders.
func windowsSystem(file string) bool {
	name := module.Basename(file)
	if name == file {
		return slices.Contains(windowsCore, name) || !strings.Contains(name, ".") && slices.Contains(windowsCore, name+".dll") // WinDbg leaves the ending out
	}
	return strings.Contains(file, `:\windows\`) || strings.HasPrefix(file, `\systemroot\`) || strings.HasPrefix(file, `\windows\`)
}

// windowsCore are libraries of Windows that nearly every process has, in lower case. A dump that
// names modules without folders has no other sign of the system.
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

// linkerFolders are the folders of ld.so(8), and those of distributions that install several
// architectures.
var linkerFolders = []string{
	"/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
}

// underAny reports whether a file is below one of the folders, at any depth.
func underAny(file string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(file, f+"/") })
}
