package render

import (
	"fmt"
	"strings"

	"crashglass/core/report"
)

// A shell is a command line for which download commands are written: that of the system of the dump, which is
// probably the user's.
type shell struct {
	curl     string // the program: PowerShell has a "curl" of its own, which is another one
	variable string // of the user's symbol server
	set      string // how users know the variable
	quote    func(string) string
	refused  string // characters that cannot be quoted
}

var (
	posixShell = shell{"curl", "$SYMBOL_SERVER", "SYMBOL_SERVER", shellQuote, ""}

	// PowerShell takes curved quotes for straight ones, and no shell of Windows passes a double quote on as it is.
	powerShell = shell{"curl.exe", "$env:SYMBOL_SERVER", "$env:SYMBOL_SERVER in PowerShell", powerQuote, "\"\u2018\u2019\u201a\u201b"}
)

func shellFor(r *report.Report) shell {
	if r.SystemInfo.System().IsWindows() {
		return powerShell
	}
	return posixShell
}

// download returns the command that downloads a symbol file in the layout that its server has, into a folder with the
// same layout; "" if no server has it, or if the path is unsafe in a shell. A user's own server has Breakpad's layout.
// Nothing is downloaded here.
func (s shell) download(w *report.Wanted) string {
	server := w.Server
	want := func(path string) bool { return strings.HasSuffix(path, ".sym") }
	switch w.Origin {
	case report.FromMac, report.FromDevice:
		return ""
	case report.FromMicrosoft, report.FromChromium:
		want = func(path string) bool { return strings.HasSuffix(path, "/"+w.DebugFile) }
	case report.FromDistro:
		want = func(path string) bool { return strings.HasSuffix(path, "/debuginfo") }
	case report.FromMozilla, report.FromElectron:
	default:
		server = ""
	}
	for _, path := range w.Paths {
		if want(path) {
			return s.line(server, path)
		}
	}
	return ""
}

// line is the command for one path of a server, "" for the user's own.
//
// Names come from the dump, whose author may want to inject a command. So the path is quoted for the shell, and
// percent-encoded for the address by RFC 3986: only letters, digits and -._~ stay unchanged.
func (s shell) line(server, path string) string {
	if path == "" || Escape(path) != path || strings.Contains("/"+path+"/", "/../") || strings.ContainsAny(path, s.refused) {
		return ""
	}
	address := `"` + s.variable + "/" + urlPath(path) + `"`
	if server != "" {
		address = s.quote(server + "/" + urlPath(path))
	}
	return fmt.Sprintf("%s -fL --create-dirs -o %s %s", s.curl, s.quote("symbols/"+path), address)
}

// shellQuote quotes any text as one word for sh and similar shells.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// powerQuote quotes a text as one word for PowerShell.
func powerQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// urlPath percent-encodes a path byte by byte, except its slashes. A name that is not UTF-8 becomes
// an address, too.
//
// Spec: RFC 3986, sections 2.1 and 2.3
func urlPath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
