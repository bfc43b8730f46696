package sanitize

import (
	"strings"
	"testing"
	"time"

	"crashglass/core/testkit/sample"
)

// TestRoots has a person's name in the paths of each system.
func TestRoots(t *testing.T) {
	var m masks
	for text, want := range map[string]string{
		`C:\Users\Jane Doe\x.dll`:                                `C:\Users\user\x.dll`,
		`D:\Users\Jane O'Brien\x.dll`:                            `D:\Users\user\x.dll`,
		`C:/Users/Jane Doe/x.dll`:                                `C:/Users/user/x.dll`,
		`C:\\Users\\Jane Doe\\x.dll`:                             `C:\\Users\\user\\x.dll`,
		`"C:\\Users\\Jane Doe"`:                                  `"C:\\Users\\user"`,
		`\Device\HarddiskVolume3\Users\Jane Doe\x`:               `\Device\HarddiskVolume3\Users\user\x`,
		`\\?\C:\Users\Jane\x`:                                    `\\?\C:\Users\user\x`,
		`C:\USERS\JANEDO~1\x`:                                    `C:\USERS\user\x`,
		`C:\Dokumente und Einstellungen\Jäne\x`:                  `C:\Dokumente und Einstellungen\user\x`,
		`C:\DOCUMENTS AND SETTINGS\Jane\x`:                       `C:\DOCUMENTS AND SETTINGS\user\x`,
		`C:\Users\jane\OneDrive - Contoso Ltd\plans\x.exe`:       `C:\Users\user\OneDrive - company\plans\x.exe`,
		`/Users/jane/Library/CloudStorage/OneDrive-Contoso/x`:    `/Users/user/Library/CloudStorage/OneDrive-company/x`,
		`\\server7\jane$\app\x.dll`:                              `\\server\share\app\x.dll`,
		`open "\\server7\jane$\app"`:                             `open "\\server\share\app"`,
		`\\\\server7\\jane$\\app`:                                `\\\\server\\share\\app`,
		`\\?\UNC\server7\jane$\app\x.dll`:                        `\\?\UNC\server\share\app\x.dll`,
		`\Device\Mup\server7\jane$\x.dll`:                        `\Device\Mup\server\share\x.dll`,
		`\\.\pipe\chrome.1`:                                      `\\.\pipe\chrome.1`,
		`\\server7\x.dll`:                                        `\\server\x.dll`,
		"/home/jane/x.so":                                        "/home/user/x.so",
		"//home//jane//x.so":                                     "//home//user//x.so",
		"/home/Jane Doe/x.so":                                    "/home/user/x.so",
		"/Users/Jane Mary Doe/x.so":                              "/Users/user/x.so",
		"/home/Ольга Иванова/x":                                  "/home/user/x",
		"from /home/jane or /tmp":                                "from /home/user or /tmp",
		"/run/media/jane/JANES DISK/x.so":                        "/run/media/user/volume/x.so",
		"/media/jane/stick/x.so":                                 "/media/user/volume/x.so",
		"/media/jane/x.so":                                       "/media/user/x.so",
		"/src/media/base/x.cc":                                   "/src/media/base/x.cc",
		"/run/user/1000/bus":                                     "/run/user/user/bus",
		"/Volumes/Janes Disk/App.app/x":                          "/Volumes/volume/App.app/x",
		"/Volumes/Jane/App.app/x":                                "/Volumes/volume/App.app/x",
		"/Volumes/Macintosh HD/Users/jane":                       "/Volumes/Macintosh HD/Users/user",
		"/mnt/c/Users/jane/x":                                    "/mnt/c/Users/user/x",
		"/Users/Shared/x":                                        "/Users/Shared/x",
		`C:\users\public\x`:                                      `C:\users\public\x`,
		"/home/":                                                 "/home/",
		"/home//":                                                "/home//",
		`\\`:                                                     `\\`,
		"/usr/lib/x.so":                                          "/usr/lib/x.so",
		"std::vector<\\foo>":                                     "std::vector<\\foo>",
		`C:\Program Files\Contoso\app.exe`:                       `C:\Program Files\Contoso\app.exe`,
		"file:///C:/Users/Jane%20Doe/x":                          "file:///C:/Users/user/x",
		"https://example.org/users/42":                           "https://example.org/users/user",
		"/home/jane:/home/mary:/usr/bin":                         "/home/user:/home/user:/usr/bin",
		"/proc/1/cwd -> /home/jane/secret plans/x (deleted)":     "/proc/1/cwd -> /home/user/secret plans/x (deleted)",
		"/home/jane\n/home/mary\x00/home/eve":                    "/home/user\n/home/user\x00/home/user",
		strings.Repeat("/", 5) + "home" + strings.Repeat("/", 5): strings.Repeat("/", 5) + "home" + strings.Repeat("/", 5),
	} {
		if got := m.text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if again := m.text(want); again != want {
			t.Errorf("%q became %q, and is masked already", want, again)
		}
	}
}

// TestRootsAreLinear looks through texts that are all roots and separators: 256 KiB natively, and a part of it in Node.
func TestRootsAreLinear(t *testing.T) {
	for _, piece := range []string{"/home/a", "/", `\\`, "/run/", "/home/", "/media/a/b", `\\a\b`} {
		text := strings.Repeat(piece, sample.Of(1<<18)/len(piece))
		begin := time.Now()
		withoutHomes(text)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%d bytes of %q took %v", len(text), piece, took)
		}
	}
}
