package local

import (
	"path"
	"slices"
	"strings"
)

// maxPath bounds a recorded path. Linux and macOS have no longer ones.
const maxPath = 4096

// forbidden are folders whose files are not files: opening one can start a device, or mount a network's folder.
var forbidden = []string{"/dev/", "/proc/", "/sys/", "/net/", "/network/"}

// recorded returns a path of a dump in the form of this machine, with slashes, "" if it is none that can be opened:
// a relative path, a path of another system, of a network or of a device, or one with the name of a stream.
func recorded(system, p string) string {
	if len(p) > maxPath || strings.ContainsRune(p, 0) {
		return ""
	}
	if system != "windows" {
		p = path.Clean(p)
		if !path.IsAbs(p) || inForbidden(p) {
			return ""
		}
		return p
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) < 4 || p[1] != ':' || p[2] != '/' || !isLetter(p[0]) || strings.ContainsAny(p[2:], ":*?\"<>|") {
		return ""
	}
	p = p[:2] + path.Clean(p[2:])
	for name := range strings.SplitSeq(p[3:], "/") {
		if isDevice(name) {
			return ""
		}
	}
	return p
}

// devices are names that Windows takes for devices in any folder, with any ending: "Naming Files, Paths, and
// Namespaces" of Microsoft's documentation. COM and LPT have a digit behind them.
var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$", "com", "lpt"}

func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	name = strings.TrimRight(name, " ")
	return slices.Contains(devices, name) || len(name) > 3 && slices.Contains(devices[len(devices)-2:], strings.TrimRight(name, "0123456789¹²³"))
}

func inForbidden(p string) bool {
	for _, f := range forbidden {
		if strings.HasPrefix(strings.ToLower(p)+"/", f) { // the file systems of Macs ignore case
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isName reports whether a name of a dump may become the last part of a path.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && len(name) < 256 && !strings.ContainsAny(name, "/\\:\x00")
}
