package analyze

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Names come from the dump, and paths are fetched by people and programs.
func TestStorePathsOfHostileNames(t *testing.T) {
	const id = "0123456789ABCDEF0123456789ABCDEF1"
	for _, name := range []string{
		"", ".", "..", "../..", "..\\..", "/", "\\", "a/", "a\\", "a/..", "x\x00y", "x\ny", "x\r", "x\x1b[2J", "x\x7f", "C:", "app:stream",
		"\u202egnp.exe", "a\u200bb", "a\u2028b", "\xff\xfe", strings.Repeat("n", 256),
	} {
		for _, os := range []string{"windows", "linux", "mac"} {
			for what, mod := range map[string]module.Module{
				"debug file": {DebugFile: name, DebugID: id},
				"code file":  {CodeFile: name, CodeID: "4a5bdbde100000"},
				"debug id":   {DebugFile: "app.pdb", DebugID: name},
				"code id":    {CodeFile: "app.exe", CodeID: name},
			} {
				for _, p := range storePaths(process.OS(os), &mod) {
					if what == "code file" && strings.HasPrefix(p, "buildid/") {
						continue // which no name is part of
					}
					if base := module.Basename(name); what == "debug id" || what == "code id" || unsafePart(base) {
						t.Errorf("%s: %s %q gives %q", os, what, name, p)
					}
				}
			}
		}
	}
	for _, name := range []string{"app", "größe.pdb", "lib c++.so.1", "a'b$(c).so", "..app", "-x", "%41"} {
		mod := module.Module{DebugFile: name, DebugID: id}
		if got := storePaths("linux", &mod); len(got) != 1 || !strings.HasPrefix(got[0], name+"/"+id+"/") {
			t.Errorf("%q gives %q", name, got)
		}
	}
}

// FuzzStorePaths looks for a path that leaves its folder.
func FuzzStorePaths(f *testing.F) {
	f.Add("windows", "..", "4a", "../x.pdb", "1\\2")
	f.Fuzz(func(t *testing.T, os, code, codeID, debug, debugID string) {
		for _, p := range storePaths(process.OS(os), &module.Module{CodeFile: code, CodeID: codeID, DebugFile: debug, DebugID: debugID}) {
			parts := strings.Split(p, "/")
			if len(parts) != 3 || slices.ContainsFunc(parts, unsafePart) || strings.ContainsAny(p, "\\\x00\n") {
				t.Errorf("%q", p)
			}
		}
	})
}
