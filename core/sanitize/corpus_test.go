package sanitize

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/report"
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
			showsTheSame(t, s, r)
			made := strings.Contains(path, "vectors") // of stacks and little else: padding makes them longer
			list, _ := open(t, r.Data).Streams()
			parts, _ := list.Bytes("list", removedList(list))
			if len(data) > 4<<10 && len(r.Data)-len(parts) > len(data) && !made {
				t.Errorf("%d bytes became %d", len(data), len(r.Data))
			}
		})
	}
}

// showsTheSame compares what the page shows first of a dump and of its cleaned copy: verdict, system, guesses, and the code
// at each program counter.
func showsTheSame(t *testing.T, s *analyze.Session, r *Result) {
	t.Helper()
	clean, err := analyze.Open(bin.NewSource(reader(r.Data), int64(len(r.Data))))
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.Report(nil, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := clean.Report(nil, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if was, is := first(before), first(after); was != is {
		t.Errorf("the dump shows\n%s\nand its copy\n%s", was, is)
	}
	missing := map[report.Address]bool{}
	for i := range before.Threads {
		for n := range before.Threads[i].Frames {
			f := &before.Threads[i].Frames[n]
			was, is := codeAt(s, f), codeAt(clean, f)
			if was != is {
				missing[f.Offset] = true
			}
			if was != is && len(missing) > saidMissing(r) {
				t.Errorf("frame %d of thread %d: the code was\n%sand is\n%s", n, before.Threads[i].ID, was, is)
			}
		}
	}
}

// saidMissing is around how many program counters a result says that code is missing: nothing proves that it is code, or
// it is the program's own.
func saidMissing(r *Result) (n int) {
	for _, m := range r.Removed {
		if strings.HasPrefix(m.What, "memory at program counters") || strings.HasPrefix(m.What, "code around frames") {
			n += m.Count
		}
	}
	return n
}

// first is what is seen first of a report: the verdict, the system and the number of guesses.
func first(r *report.Report) string {
	v, sys := &r.Verdict, &r.SystemInfo
	guesses := 0
	for i := range r.Threads {
		for n := range r.Threads[i].Frames {
			if r.Threads[i].Frames[n].Guess {
				guesses++
			}
		}
	}
	return fmt.Sprintf("%q %s %t %s %t %q; %s %s %s; %d guesses", v.What, str(v.Where), v.Guess, str(v.At), v.Crashed, v.Finding,
		str(sys.OS), str(sys.OSVersion), str(sys.CPU), guesses)
}

// codeAt is the captured code around a frame in a module, as the page lists it.
func codeAt(s *analyze.Session, f *report.Frame) string {
	if f.Module == nil {
		return ""
	}
	at := f.Offset
	if f.Trust != report.TrustContext && f.ReturnAddress != nil {
		at = *f.ReturnAddress
	}
	var b strings.Builder
	for _, l := range s.Disassemble(nil, number(at), 8, 6).Lines {
		fmt.Fprintf(&b, "%s %s\n", l.Address, l.Bytes)
	}
	return b.String()
}
