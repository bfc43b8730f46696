package local

import (
	"slices"
	"testing"
)

// Servers are named without what may be a password, and each once.
func TestServers(t *testing.T) {
	for value, want := range map[string][]string{
		"": nil, `c:\sym;d:/x`: nil, "/home/me/sym": nil, "srv*": nil,
		`srv*c:\sym*https://msdl.microsoft.com/download/symbols`:                              {"https://msdl.microsoft.com/download/symbols"},
		`SRV*\\build\sym*http://a.example:8080/;symsrv*symsrv.dll*d:\x*http://a.example:8080`: {`\\build\sym`, "http://a.example:8080"},
		"srv*https://me:secret@example.org/sym?token=secret":                                  {"https://example.org/sym"},
	} {
		if got := Servers(value); !slices.Equal(got, want) {
			t.Errorf("%s: %q", value, got)
		}
	}
}
