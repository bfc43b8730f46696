package process

// An OS is an operating system.
type OS string

// The operating systems. The zero value is an unknown one.
const (
	Windows OS = "windows"
	Mac     OS = "mac"
	IOS     OS = "ios"
	Linux   OS = "linux"
	Android OS = "android"
	Solaris OS = "solaris"
	NaCl    OS = "nacl"
	Fuchsia OS = "fuchsia"
)

// names are the systems' names in reports, which are rust-minidump's.
var names = map[OS]string{
	Windows: "Windows NT", Mac: "Mac OS X", IOS: "iOS", Linux: "Linux", Android: "Android", Solaris: "Solaris", NaCl: "NaCl", Fuchsia: "Fuchsia",
}

// Name is the system's name in reports, "" for an unknown one.
func (os OS) Name() string { return names[os] }

// Named returns the system of a name in reports, "" for an unknown one.
func Named(name string) OS {
	for os, n := range names {
		if n == name {
			return os
		}
	}
	return ""
}

// IsWindows reports whether the system is one of Windows, which has its own forms of exceptions,
// unwind rules, and stores of symbols.
func (os OS) IsWindows() bool { return os == Windows }

// IsApple reports whether the system is macOS or iOS.
func (os OS) IsApple() bool { return os == Mac || os == IOS }

// IsLinux reports whether the system has Linux's kernel.
func (os OS) IsLinux() bool { return os == Linux || os == Android }

// IsMac, IsIOS and the others report whether the system is that one.
func (os OS) IsMac() bool     { return os == Mac }
func (os OS) IsIOS() bool     { return os == IOS }
func (os OS) IsAndroid() bool { return os == Android }
func (os OS) IsSolaris() bool { return os == Solaris }
func (os OS) IsFuchsia() bool { return os == Fuchsia }

// OS returns the operating system, if it is known.
func (p *Process) OS() OS {
	if p.System == nil {
		return ""
	}
	return p.System.OS
}
