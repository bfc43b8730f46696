package module

import (
	"strings"
	"testing"
)

// The page has the same cases in web/src/text/text.test.ts.
func TestSourcePath(t *testing.T) {
	digest := strings.Repeat("a5d37477", 16)
	for file, want := range map[string]string{
		"":               "",
		"git:":           "git:",
		"git:::":         "git:::",
		"/src/reader.cc": "/src/reader.cc",
		`C:\src\a.cc`:    `C:\src\a.cc`,
		"hg:hg.mozilla.org/releases/mozilla-release:xpcom/threads/nsThread.cpp:5f2a7c1d9b3e": "xpcom/threads/nsThread.cpp",
		"hg:hg.example.org:8000/app:src/a.c:5f2a7c1d9b3e":                                    "src/a.c",
		"git:github.com/rust-lang/rust:library/std/src/panicking.rs:9fc6b431":                "library/std/src/panicking.rs",
		"git:example.org:src/lib.rs":                                                         "git:example.org:src/lib.rs",
		"svn:svn.example.org/trunk:src/a.c:1234":                                             "src/a.c",
		"cvs:cvs.mozilla.org/cvsroot:mozilla/browser/app/nsBrowserApp.cpp:1.36":              "mozilla/browser/app/nsBrowserApp.cpp",
		"s3:gecko-generated-sources:" + digest + "/ipc/PContent.cpp:":                        "ipc/PContent.cpp",
		"s3:gecko-generated-sources:" + digest[1:] + "/a.cpp:":                               digest[1:] + "/a.cpp",
		"/odd/git:name:x.c:1": "/odd/git:name:x.c:1",
		"cargo:github.com-1ecc6299db9ec823:addr2line-0.16.0:src/lib.rs": "cargo:github.com-1ecc6299db9ec823:addr2line-0.16.0:src/lib.rs",
	} {
		if got := SourcePath(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}
