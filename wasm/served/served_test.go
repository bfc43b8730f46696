package served

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page contains its policy for hosts that send none, except for frame-ancestors, which a page
// cannot set. Both must be the same, or the page breaks, or is open, on one of the hosts.
func TestPolicyIsThePages(t *testing.T) {
	page, err := os.ReadFile("../../index.html")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindSubmatch(page)
	if want := strings.TrimSuffix(Policy, "; frame-ancestors 'none'"); found == nil || string(found[1]) != want {
		t.Errorf("index.html has %q\nwant %q", found, want)
	}
}

// Each file has its type and its time in caches, and every response the headers of security.
func TestHeadersOfFiles(t *testing.T) {
	for name, want := range map[string][3]string{
		"index.html":       {Policy, "text/html; charset=utf-8", "no-cache"},
		"viewer.html":      {"frame-ancestors 'none'", "text/html; charset=utf-8", "no-cache"},
		"sw.js":            {Policy, "text/javascript; charset=utf-8", "public, max-age=86400"},
		"assets/sw.js":     {Policy, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"assets/a-1.wasm":  {Policy, "application/wasm", "public, max-age=31536000, immutable"},
		"app.webmanifest":  {Policy, "application/manifest+json", "no-cache"},
		"icon.png":         {Policy, "image/png", "no-cache"}, // of Go's own table
		"LICENSE.unknown":  {Policy, "application/octet-stream", "no-cache"},
		"old/viewer.html":  {Policy, "text/html; charset=utf-8", "no-cache"},
		"SHA256SUMS":       {Policy, "application/octet-stream", "no-cache"},
		"site.json":        {Policy, "application/json", "no-cache"},
		"THIRD_PARTY.txt":  {Policy, "text/plain; charset=utf-8", "no-cache"},
		"assets/style.css": {Policy, "text/css; charset=utf-8", "public, max-age=31536000, immutable"},
	} {
		got := map[string]string{}
		File(func(name, value string) { got[name] = value }, name)
		if sent := [3]string{got["Content-Security-Policy"], got["Content-Type"], got["Cache-Control"]}; sent != want {
			t.Errorf("%s: %q, want %q", name, sent, want)
		}
		for header, value := range Headers {
			if header != "Content-Security-Policy" && got[header] != value {
				t.Errorf("%s: %s is %q, want %q", name, header, got[header], value)
			}
		}
	}
}
