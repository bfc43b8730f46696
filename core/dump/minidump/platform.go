package minidump

import "fmt"

// A Platform is the operating system's number. Source: wine's and Microsoft's
// VER_PLATFORM constants below 0x8000, Breakpad's minidump_format.h above.
type Platform uint32

// Platforms that dumps are known to come from.
const (
	PlatformWin32s   Platform = 0
	PlatformWindows9 Platform = 1 // Windows 95, 98, Me
	PlatformWindows  Platform = 2 // VER_PLATFORM_WIN32_NT
	PlatformWinCE    Platform = 3
	PlatformUnix     Platform = 0x8000
	PlatformMac      Platform = 0x8101
	PlatformIOS      Platform = 0x8102
	PlatformLinux    Platform = 0x8201
	PlatformSolaris  Platform = 0x8202
	PlatformAndroid  Platform = 0x8203
	PlatformPS3      Platform = 0x8204
	PlatformNaCl     Platform = 0x8205
	PlatformFuchsia  Platform = 0x8206
)

var platformNames = map[Platform]string{
	PlatformWindows9: "Windows NT", PlatformWindows: "Windows NT",
	PlatformMac: "Mac OS X", PlatformIOS: "iOS", PlatformLinux: "Linux", PlatformSolaris: "Solaris",
	PlatformAndroid: "Android", PlatformPS3: "PS3", PlatformNaCl: "NaCl", PlatformFuchsia: "Fuchsia",
}

// String is the name, spelled as in rust-minidump's schema; an unknown
// platform is its number.
func (p Platform) String() string {
	if name, ok := platformNames[p]; ok {
		return name
	}
	return fmt.Sprintf("%#08x", uint32(p))
}

// IsWindows reports whether the system is desktop Windows.
func (p Platform) IsWindows() bool { return p == PlatformWindows || p == PlatformWindows9 }

// IsApple reports whether the system is macOS or iOS.
func (p Platform) IsApple() bool { return p == PlatformMac || p == PlatformIOS }
