package local

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// A path of a dump is opened only if it is one of a file of this machine.
func TestRecorded(t *testing.T) {
	for _, tt := range []struct{ system, path, want string }{
		{"linux", "/usr/bin/app", "/usr/bin/app"},
		{"linux", "/usr/../bin//app", "/bin/app"},
		{"linux", "app", ""},
		{"linux", "", ""},
		{"linux", "//server/share/app", "/server/share/app"},
		{"linux", "/dev/watchdog", ""},
		{"linux", "/usr/../dev/watchdog", ""},
		{"linux", "/proc/self/fd/0", ""},
		{"linux", "/sys/kernel/x", ""},
		{"linux", "/net/host/app", ""},
		{"linux", "/network/app", ""},
		{"darwin", "/Network/Servers/x", ""},
		{"darwin", "/DEV/fd/0", ""},
		{"linux", "/a\x00b", ""},
		{"linux", "/" + strings.Repeat("a", maxPath), ""},
		{"linux", `C:\app.exe`, ""},
		{"windows", `C:\Program Files\app.exe`, "C:/Program Files/app.exe"},
		{"windows", `c:/a/../app.exe`, "c:/app.exe"},
		{"windows", `\\server\share\app.exe`, ""},
		{"windows", `//server/share/app.exe`, ""},
		{"windows", `\\.\C:\app.exe`, ""},
		{"windows", `\\?\C:\app.exe`, ""},
		{"windows", `\Device\HarddiskVolume1\app.exe`, ""},
		{"windows", `C:app.exe`, ""},
		{"windows", `C:\app.exe:stream`, ""},
		{"windows", `C:\*.exe`, ""},
		{"windows", `C:\con`, ""},
		{"windows", `C:\a\NUL.txt`, ""},
		{"windows", "/usr/bin/app", ""},
	} {
		if got := recorded(tt.system, tt.path); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.system, tt.path, got, tt.want)
		}
	}
}

// pathsOf are the places of a module, as "place path".
func pathsOf(m *Machine, mod *module.Module, slow bool) (out []string) {
	for path, place := range m.Paths(mod, slow) {
		out = append(out, string(place)+" "+path)
	}
	return out
}

// env are the variables of a machine.
func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

// Each row of the table, in the order of debuggers.
func TestPlaces(t *testing.T) {
	app := &module.Module{CodeFile: "/usr/bin/app", CodeID: "abcdef0123", DebugFile: "app-dbg", DebugID: "00112233445566778899AABBCCDDEEFF0"}
	exe := &module.Module{CodeFile: `C:\game\app.exe`, CodeID: "5ab38077a000", DebugFile: `D:\build\app.pdb`, DebugID: "00112233445566778899AABBCCDDEEFF1"}
	spot := func(uuid string) []string { return []string{"/Users/me/" + uuid + ".dSYM", "relative.dSYM"} }
	for _, tt := range []struct {
		name    string
		machine *Machine
		module  *module.Module
		slow    bool
		want    []string // in this order, among others
	}{
		{name: "Linux", machine: &Machine{wholeMachine{}, "", "linux", env(map[string]string{
			"DEBUGINFOD_CACHE_PATH": "/cache", "XDG_CACHE_HOME": "/xdg", "HOME": "/home/me", "_NT_SYMBOL_PATH": "cache*/store;srv*https://example.org",
		}), spot}, module: app, slow: false, want: []string{
			"recorded_path /usr/bin/app",
			"beside /usr/bin/app.debug",
			"beside /usr/bin/app.dwp",
			"beside /usr/bin/.debug/app",
			"beside /usr/bin/app-dbg",
			"beside /usr/bin/.debug/app-dbg",
			"build_id /usr/lib/debug/.build-id/ab/cdef0123.debug",
			"build_id /usr/lib/debug/.build-id/ab/cdef0123",
			"debug_folder /usr/lib/debug/usr/bin/app.debug",
			"debug_folder /usr/lib/debug/usr/bin/app-dbg",
			"debug_folder /usr/lib/debug/bin/app.debug",
			"debuginfod_cache /cache/abcdef0123/debuginfo",
			"debuginfod_cache /xdg/debuginfod_client/abcdef0123/executable",
			"debuginfod_cache /home/me/.cache/debuginfod_client/abcdef0123/debuginfo",
			"symbol_path /store/app",
			"symbol_path /store/app/00112233445566778899AABBCCDDEEFF0/app",
		}},
		{name: "Windows", machine: &Machine{wholeMachine{}, "", "windows", env(map[string]string{
			"_NT_SYMBOL_PATH": `srv*c:\sym*\\server\sym*https://example.org;symsrv*symsrv.dll*d:\down*https://x;e:\flat`, "LOCALAPPDATA": `C:\Users\me`,
		}), spot}, module: exe, slow: false, want: []string{
			"recorded_path C:/game/app.exe",
			"recorded_path D:/build/app.pdb",
			"beside C:/game/app.pdb",
			"symbol_path c:/sym/app.exe/5AB38077A000/app.exe",
			"symbol_path c:/sym/app.pdb/00112233445566778899AABBCCDDEEFF1/app.pdb",
			"symbol_path c:/sym/app.pdb/00112233445566778899AABBCCDDEEFF1/app.pd_",
			"symbol_path d:/down/app.pdb/00112233445566778899AABBCCDDEEFF1/app.pdb",
			"symbol_path e:/flat/app.pdb",
			"symbol_cache C:/ProgramData/Dbg/sym/app.pdb/00112233445566778899AABBCCDDEEFF1/app.pdb",
			"symbol_cache C:/Users/me/Temp/SymbolCache/app.pdb/00112233445566778899AABBCCDDEEFF1/app.pdb",
		}},
		{name: "a bundle", machine: &Machine{wholeMachine{}, "", "darwin", env(nil), spot},
			module: &module.Module{CodeFile: "/Apps/My.app/Contents/MacOS/My", DebugID: app.DebugID}, slow: false, want: []string{
				"recorded_path /Apps/My.app/Contents/MacOS/My",
				"beside /Apps/My.app/Contents/MacOS/My.dSYM/Contents/Resources/DWARF/My",
				"beside /Apps/My.app.dSYM/Contents/Resources/DWARF/My",
			}},
		{name: "Spotlight", machine: &Machine{wholeMachine{}, "", "darwin", env(nil), spot},
			module: &module.Module{CodeFile: "/My", DebugID: app.DebugID}, slow: true, want: []string{
				"spotlight /Users/me/00112233-4455-6677-8899-AABBCCDDEEFF.dSYM/Contents/Resources/DWARF/My",
			}},
		{name: "dwz", machine: &Machine{wholeMachine{}, "", "linux", env(nil), spot},
			module: &module.Module{CodeFile: "/usr/bin/.dwz/x86_64/app", CodeID: "abcdef0123"}, slow: false, want: []string{
				"debug_folder /usr/lib/debug/.dwz/x86_64/app",
			}},
	} {
		got, at := pathsOf(tt.machine, tt.module, tt.slow), 0
		for _, want := range tt.want {
			i := slices.Index(got[at:], want)
			if i < 0 {
				t.Errorf("%s: %s is not among\n%s", tt.name, want, strings.Join(got[at:], "\n"))
				break
			}
			at += i + 1
		}
		for _, p := range got {
			if strings.Contains(p, "example.org") || strings.Contains(p, "server") || strings.Contains(p, "relative") {
				t.Errorf("%s: %s", tt.name, p)
			}
		}
	}
}

// The texts of a dump do not reach Spotlight, and an ID that is no UUID does not either.
func TestSpotlightGetsUUIDs(t *testing.T) {
	asked := []string{}
	m := &Machine{wholeMachine{}, "", "darwin", env(nil), func(uuid string) []string { asked = append(asked, uuid); return nil }}
	for _, id := range []string{"", "00000000000000000000000000000000F", "-onlyin /etc; x == 0123456789ABCDEF", "00112233445566778899aabbccddeeff0", "00112233445566778899AABBCCDDEEFF0"} {
		pathsOf(m, &module.Module{CodeFile: "/$(touch x)", DebugID: id}, true)
	}
	if want := []string{"00112233-4455-6677-8899-AABBCCDDEEFF"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

// Files of Xcode have the module's name. A module's name is no pattern.
func TestXcode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Xcode's folders are those of macOS")
	}
	home := t.TempDir()
	for _, p := range []string{"DerivedData/App-x/Build/Products/Debug/App.app.dSYM/Contents/Resources/DWARF/App", "Archives/2026-01-01/App.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF/App",
		"Archives/2026-01-01/App.xcarchive/dSYMs/Other.dSYM/Contents/Resources/DWARF/Other"} {
		write(t, filepath.Join(home, "Library/Developer/Xcode", p))
	}
	none := func(string) []string { return nil }
	m := &Machine{wholeMachine{}, "", "darwin", env(map[string]string{"HOME": home}), none}
	if got := pathsOf(m, &module.Module{CodeFile: "/App"}, true); len(got) != 2 || !strings.HasPrefix(got[0], string(report.InXcode)+" ") {
		t.Errorf("found %q", got)
	}
	if got := pathsOf(m, &module.Module{CodeFile: "/*"}, true); len(got) != 0 {
		t.Errorf("found %q", got)
	}
}

// write makes a file and its folders.
func write(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Folders and devices are refused, and a missing file is an error.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	m := This()
	file, err := m.Open(write(t, filepath.Join(dir, "file")))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	for _, path := range []string{dir, filepath.Join(dir, "missing"), os.DevNull} {
		if file, err := m.Open(path); err == nil {
			file.Close()
			t.Errorf("%s was opened", path)
		}
	}
}

// Links that lead out of the folder of At are not followed; those within it are.
func TestAtStaysInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"))
	write(t, filepath.Join(dir, "usr/lib/real"))
	for link, to := range map[string]string{"lib": "usr/lib", "out": outside, "up": "../" + filepath.Base(outside), "secret": filepath.Join(outside, "secret")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := At(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"/lib/real": true, "/usr/lib/real": true, "/out/secret": false, "/up/secret": false, "/secret": false, "/../" + filepath.Base(outside) + "/secret": false} {
		file, err := m.Open(dir + path)
		if (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
		if err == nil {
			file.Close()
		}
	}
	t.Setenv("HOME", outside)
	for _, p := range pathsOf(m, &module.Module{CodeFile: "/usr/lib/real", CodeID: "abcdef0123"}, false) {
		if _, path, _ := strings.Cut(p, " "); !strings.HasPrefix(path, dir+"/") {
			t.Errorf("%s is outside", p)
		}
	}
	if _, err := At(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing folder is no error")
	}
}

// within fails a test that waits.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan bool)
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s waits", what)
	}
}
