package render

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"crashglass/core/report"
)

// fetchLines are paths of a user's server. The page has the same cases in web/src/symbols/get.test.ts.
var fetchLines = []struct{ path, want string }{
	{"libc.so.6/AAAA0/libc.so.6.sym", `curl -fL --create-dirs -o 'symbols/libc.so.6/AAAA0/libc.so.6.sym' "$SYMBOL_SERVER/libc.so.6/AAAA0/libc.so.6.sym"`},
	{"my app.pdb/1/my app.sym", `curl -fL --create-dirs -o 'symbols/my app.pdb/1/my app.sym' "$SYMBOL_SERVER/my%20app.pdb/1/my%20app.sym"`},
	{`a'$(reboot)` + "`id`" + `";&|\/1/x`, `curl -fL --create-dirs -o 'symbols/a'\''$(reboot)` + "`id`" + `";&|\/1/x' "$SYMBOL_SERVER/a%27%24%28reboot%29%60id%60%22%3B%26%7C%5C/1/x"`},
	{"-rf/1/ü.sym", `curl -fL --create-dirs -o 'symbols/-rf/1/ü.sym' "$SYMBOL_SERVER/-rf/1/%C3%BC.sym"`},
	{"", ""}, {"../1/x", ""}, {"a/../x", ""}, {"a\x1b/1/x", ""}, {"a\n/1/x", ""}, {"a\u202e/1/x", ""},
}

func TestFetchLine(t *testing.T) {
	for _, test := range fetchLines {
		if got := posixShell.line("", test.path); got != test.want {
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
		for server, line := range map[string]string{"https://example.org": test.want, "https://e.example": posixShell.line("https://e.example", test.path)} {
			out, err := exec.Command(shell, "-c", `curl() { printf '%s\n' "$@"; }; SYMBOL_SERVER=https://example.org; `+line).CombinedOutput()
			want := "-fL\n--create-dirs\n-o\nsymbols/" + test.path + "\n" + server + "/" + urlPath(test.path) + "\n"
			if err != nil || string(out) != want {
				t.Errorf("%q: %v\n got %s\nwant %s", test.path, err, strings.TrimSpace(string(out)), want)
			}
		}
	}
}

// A command fits the shell of the dump's system, and the layout of the server that has the file.
func TestDownload(t *testing.T) {
	pdb := []string{"a.pdb/1/a.sym", "a.pdb/1/a.pdb", "a.exe/2/a.exe"}
	library := []string{"libc.so.6/1/libc.so.6.sym", "buildid/ab/debuginfo", "buildid/ab/executable"}
	for _, tt := range []struct {
		os     string
		wanted report.Wanted
		want   string
	}{
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: pdb, Origin: report.FromMicrosoft, Server: "https://ms"}, `curl.exe -fL --create-dirs -o 'symbols/a.pdb/1/a.pdb' 'https://ms/a.pdb/1/a.pdb'`},
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: pdb, Origin: report.FromMozilla, Server: "https://moz"}, `curl.exe -fL --create-dirs -o 'symbols/a.pdb/1/a.sym' 'https://moz/a.pdb/1/a.sym'`},
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: pdb, Origin: report.FromBuild}, `curl.exe -fL --create-dirs -o 'symbols/a.pdb/1/a.sym' "$env:SYMBOL_SERVER/a.pdb/1/a.sym"`},
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: []string{"a'b.pdb/1/a'b.sym"}}, `curl.exe -fL --create-dirs -o 'symbols/a''b.pdb/1/a''b.sym' "$env:SYMBOL_SERVER/a%27b.pdb/1/a%27b.sym"`},
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: []string{"a\u2019b.pdb/1/a\u2019b.sym"}}, ""},
		{"Windows NT", report.Wanted{DebugFile: "a.pdb", Paths: []string{`a"b.pdb/1/a"b.sym`}}, ""},
		{"Linux", report.Wanted{DebugFile: "libc.so.6", Paths: library, Origin: report.FromDistro, Server: "https://d"}, `curl -fL --create-dirs -o 'symbols/buildid/ab/debuginfo' 'https://d/buildid/ab/debuginfo'`},
		{"Linux", report.Wanted{DebugFile: "libc.so.6", Paths: library[:1], Origin: report.FromDistro, Server: "https://d"}, ""},
		{"Linux", report.Wanted{DebugFile: "app", Paths: library}, `curl -fL --create-dirs -o 'symbols/libc.so.6/1/libc.so.6.sym' "$SYMBOL_SERVER/libc.so.6/1/libc.so.6.sym"`},
		{"Mac OS X", report.Wanted{DebugFile: "libc", Paths: library[:1], Origin: report.FromMac}, ""},
		{"Android", report.Wanted{DebugFile: "libc.so", Paths: library[:1], Origin: report.FromDevice}, ""},
	} {
		if got := shellFor(&report.Report{SystemInfo: report.SystemInfo{OS: &tt.os}}).download(&tt.wanted); got != tt.want {
			t.Errorf("%s, %+v:\n got %s\nwant %s", tt.os, tt.wanted, got, tt.want)
		}
	}
}
