package render

import (
	"fmt"
	"strings"
)

// fetchLine is a shell command that fetches one file of a symbol store into a
// folder that has the same layout, or "" when the path is unsafe in a
// shell. The address of the store is not known here, and nothing is fetched.
//
// Names come from the dump, and the author of that dump may want the person to
// run something else. So the path is quoted for the shell, and spelled for the
// address as RFC 3986 has it: letters, digits and -._~ alone stay as they are.
func fetchLine(path string) string {
	if path == "" || Escape(path) != path || strings.Contains("/"+path+"/", "/../") {
		return ""
	}
	return fmt.Sprintf(`curl -fL --create-dirs -o %s "$SYMBOL_SERVER/%s"`, shellQuote("symbols/"+path), urlPath(path))
}

// shellQuote makes one word of any text, for sh and what is like it.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

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
