package hammer

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crashglass/core/testkit/bomb"
	"crashglass/core/testkit/corefile"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/kerneldump"
	"crashglass/core/testkit/sample"
)

var (
	mutations = flag.Int("mutations", 400, "how many damaged files of each format are read")
	only      = flag.String("format", "", "read those of one `format`")
)

// slowest is more than any small file may take, on a machine that does much else.
const slowest = 20 * time.Second

// file reads a file of the repository.
func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// corpus reads files of the corpus, which need not be there.
func corpus(pattern string) (files [][]byte) {
	names, _ := filepath.Glob("../../../../shared/corpus/" + pattern)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() < 256<<10 {
			if data, err := os.ReadFile(name); err == nil {
				files = append(files, data)
			}
		}
	}
	return files
}

func zipped(t testing.TB, data []byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range []string{"a.dmp", "b/c.so"} {
		m, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(data)
	}
	w.Close()
	return out.Bytes()
}

func tarred(data []byte) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	w.WriteHeader(&tar.Header{Name: "a.so", Size: int64(len(data)), Mode: 0o644})
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// texts are reports that are text, of each family.
func texts(t testing.TB) (all [][]byte) {
	paths, _ := filepath.Glob("../../dump/container/testdata/reports/*")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// formats are the files that are damaged.
func formats(t testing.TB) map[string][][]byte {
	elf := file(t, "symbols/testdata/dwz.elf")
	micro := bomb.Microdumps(2)
	return map[string][][]byte{
		"minidump":   {dump.Everything(t).Build(t), file(t, "web/example/crash.dmp"), file(t, "cmd/crashglass/testdata/chain/chain64.dmp")},
		"microdump":  {micro},
		"text":       texts(t),
		"core":       {corefile.AMD64(t)},
		"kernel":     kerneldump.Samples(t),
		"breakpad":   {file(t, "core/analyze/testdata/handler/symbols/handler/98904C735ADB6EF56EC6894FB164F3450/handler.sym")},
		"elf":        {elf, file(t, "symbols/testdata/embedded.elf"), file(t, "symbols/testdata/split.elf"), file(t, "symbols/tables/exidx/testdata/t32.so"), file(t, "symbols/tables/exidx/testdata/fp.so")},
		"dwarf":      bomb.SmallDWARF(t),
		"pe":         {file(t, "cmd/crashglass/testdata/chain/chain64.exe")},
		"pdb":        {file(t, "cmd/crashglass/testdata/chain/chain64.pdb.gz")},
		"mach-o":     append(corpus("public/native/symbolic/macos/*/*"), append(corpus("public/native/symbolic/macos/*/*/*/*/*"), bomb.Fat(t, 3))...),
		"zip":        {zipped(t, elf)},
		"tar":        {tarred(elf), gzipped(tarred(elf))},
		"compressed": append([][]byte{gzipped(elf)}, corpus("bombs/*.zst")...),
	}
}

// TestHammer reads damaged files of each format. -mutations says how many.
func TestHammer(t *testing.T) {
	if *mutations == 400 {
		*mutations = sample.Of(*mutations)
	}
	for format, files := range formats(t) {
		if *only != "" && *only != format {
			continue
		}
		t.Run(format, func(t *testing.T) {
			var worst Cost
			for i, whole := range files {
				for n := range *mutations / len(files) {
					data := Mutant(whole, n, *mutations/len(files))
					cost, err := Exercise("a", data)
					worst.add(cost)
					if err != nil || cost.Time > slowest {
						t.Fatalf("mutation %d of file %d took %v: %v", n, i, cost.Time, err)
					}
				}
			}
			fmt.Printf("%-10s %7d files, the slowest %8.1f ms, the largest %6.1f MiB\n", format, worst.Files, float64(worst.Time.Microseconds())/1000, float64(worst.Bytes)/(1<<20))
		})
	}
}

// A mutation of each kind is the file with that damage.
func TestMutant(t *testing.T) {
	whole := bytes.Repeat([]byte("abcdefgh"), 4)
	seen := map[int]bool{}
	for n := range 400 {
		data := Mutant(whole, n, 400)
		switch {
		case n < 100:
			seen[len(data)] = true
		case n < 200 && (len(data) != len(whole) || bytes.Count(data, []byte{0}) != 4):
			t.Errorf("%d: %q has no word of zeros", n, data)
		case n >= 200 && len(data) != len(whole):
			t.Errorf("%d: %q", n, data)
		}
	}
	if len(seen) != len(whole) {
		t.Errorf("truncated to %d lengths of %d", len(seen), len(whole))
	}
}
