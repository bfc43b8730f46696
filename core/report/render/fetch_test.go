package render

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// The page has the same in web/src/symbols/fetch.ts, with the same cases.
var fetchLines = []struct{ path, want string }{
	{"libc.so.6/AAAA0/libc.so.6.sym", `curl -fL --create-dirs -o 'symbols/libc.so.6/AAAA0/libc.so.6.sym' "$SYMBOL_SERVER/libc.so.6/AAAA0/libc.so.6.sym"`},
	{"my app.pdb/1/my app.sym", `curl -fL --create-dirs -o 'symbols/my app.pdb/1/my app.sym' "$SYMBOL_SERVER/my%20app.pdb/1/my%20app.sym"`},
	{`a'$(reboot)` + "`id`" + `";&|\/1/x`, `curl -fL --create-dirs -o 'symbols/a'\''$(reboot)` + "`id`" + `";&|\/1/x' "$SYMBOL_SERVER/a%27%24%28reboot%29%60id%60%22%3B%26%7C%5C/1/x"`},
	{"-rf/1/ü.sym", `curl -fL --create-dirs -o 'symbols/-rf/1/ü.sym' "$SYMBOL_SERVER/-rf/1/%C3%BC.sym"`},
	{"", ""}, {"../1/x", ""}, {"a/../x", ""}, {"a\x1b/1/x", ""}, {"a\n/1/x", ""}, {"a\u202e/1/x", ""},
}

func TestFetchLine(t *testing.T) {
	for _, test := range fetchLines {
		if got := fetchLine(test.path); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.path, got, test.want)
		}
	}
}

// TestFetchLineInShell has a real shell read the lines, with a function in
// curl's place that says what it was given.
func TestFetchLineInShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "js" {
		t.Skip("there is no sh here")
	}
	for _, test := range fetchLines {
		if test.want == "" {
			continue
		}
		out, err := exec.Command(shell, "-c", `curl() { printf '%s\n' "$@"; }; SYMBOL_SERVER=https://example.org; `+test.want).CombinedOutput()
		want := "-fL\n--create-dirs\n-o\nsymbols/" + test.path + "\nhttps://example.org/" + urlPath(test.path) + "\n"
		if err != nil || string(out) != want {
			t.Errorf("%q: %v\n got %s\nwant %s", test.path, err, strings.TrimSpace(string(out)), want)
		}
	}
}
