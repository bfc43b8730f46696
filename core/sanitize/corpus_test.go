package sanitize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
)

// TestCorpus cleans real dumps: no frame changes without symbols. With them
// the command line is tested.
func TestCorpus(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"real/dumps/*.dmp", "public/dumps/*/*.dmp", "vectors/*/*.dmp", "perf/*.dmp"} {
		found, _ := filepath.Glob("../../../shared/corpus/" + pattern)
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("no ../shared/corpus beside the project")
	}
	for _, path := range sample.Members(paths) {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			if strings.Contains(path, "microdump") {
				t.Skip("a log")
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := analyze.Open(bin.NewSource(reader(data), int64(len(data))))
			if err != nil {
				t.Skip(err)
			}
			r, err := Clean(s, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Changed) > 0 {
				t.Errorf("changed: %q", r.Changed)
			}
			made := strings.Contains(path, "vectors") // of stacks and little else: padding makes them longer
			list, _ := open(t, r.Data).Streams()
			parts, _ := list.Bytes("list", removedList(list))
			if len(data) > 4<<10 && len(r.Data)-len(parts) > len(data) && !made {
				t.Errorf("%d bytes became %d", len(data), len(r.Data))
			}
		})
	}
}
