package local

import (
	"context"
	"os/exec"
	"path"
	"strings"
	"time"
)

// Limits of a search on a Mac.
const (
	maxSearched = 4096            // bundles
	longest     = 5 * time.Second // of Spotlight
)

// inXcode are the dSYMs of the module's name that Xcode made: of builds, and of archives.
func (q *query) inXcode() (out []string) {
	home := q.machine.env("HOME")
	if !path.IsAbs(home) || strings.ContainsAny(home, `*?[\`) {
		return nil
	}
	const inside = "*.dSYM/Contents/Resources/DWARF/*"
	for _, pattern := range []string{"DerivedData/*/Build/Products/*/" + inside, "Archives/*/*.xcarchive/dSYMs/" + inside} {
		found := q.machine.files.glob(home + "/Library/Developer/Xcode/" + pattern)
		for _, p := range found[:min(len(found), maxSearched)] {
			if path.Base(p) == q.module.Name() {
				out = append(out, p)
			}
		}
	}
	return out
}

// bySpotlight are the debug files of the module's UUID that Spotlight knows.
func (q *query) bySpotlight() (out []string) {
	uuid := uuidOf(q.module.DebugID)
	if uuid == "" || len(q.names) == 0 {
		return nil
	}
	for _, bundle := range q.machine.search(uuid) {
		if recorded(q.machine.system, bundle) == bundle {
			for _, name := range q.names {
				out = append(out, path.Join(bundle, "Contents/Resources/DWARF", name), path.Join(bundle, "dSYMs", name+".dSYM/Contents/Resources/DWARF", name))
			}
		}
	}
	return out
}

// uuidOf is the UUID in a debug ID, "" if it has none.
func uuidOf(id string) string {
	if len(id) < 32 || strings.Trim(id[:32], "0123456789ABCDEF") != "" || strings.Trim(id[:32], "0") == "" {
		return ""
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:32]
}

// spotlight returns the bundles that Spotlight knows for the UUID of a debug file. Without an index, or without
// Spotlight, there are none.
func spotlight(uuid string) []string {
	ctx, stop := context.WithTimeout(context.Background(), longest)
	defer stop()
	out, err := exec.CommandContext(ctx, "/usr/bin/mdfind", "com_apple_xcode_dsym_uuids == "+uuid).Output()
	if err != nil {
		return nil
	}
	found := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	return found[:min(len(found), maxSearched)]
}
