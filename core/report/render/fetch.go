package render

import (
	"fmt"
	"strings"
)

// fetchLine returns a shell command that downloads one file of a symbol store into a folder with
// the same layout, or "" when the path is unsafe in a shell. The user sets the address of the
// store; nothing is downloaded here.
//
// Names come from the dump, whose author may want to inject a command. So the path is quoted for
// the shell, and percent-encoded for the address by RFC 3986: only letters, digits and -._~ stay
// unchanged.
func fetchLine(path string) string {
	if path == "" || Escape(path) != path || strings.Contains("/"+path+"/", "/../") {
		return ""
	}
	return fmt.Sprintf(`curl -fL --create-dirs -o %s "$SYMBOL_SERVER/%s"`, shellQuote("symbols/"+path), urlPath(path))
}

// shellQuote quotes any text as one word for sh and similar shells.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

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
