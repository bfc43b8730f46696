package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOrderOfSymbols gives a hundred symbol files in a hundred orders: right
// ones and wrong ones, doubled, damaged, packed and empty. The report must be
// the same to the byte.
func TestOrderOfSymbols(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	var paths []string
	for i := range 100 {
		data := smallSym
		name := fmt.Sprintf("%02d/app.sym", i)
		switch i % 10 {
		case 0: // duplicates with more content
			data += strings.Repeat("PUBLIC 900 0 more\n", i/30)
		case 1:
			data = data[:len(data)-7*(i/10)]
		case 2:
			data = ""
		case 3:
			name = fmt.Sprintf("%02d/libother.so.sym", i)
			data = strings.Replace(data, debugID+" app", fmt.Sprintf("%032X0 libother.so", i), 1)
		case 4:
			data = "<html>"
		default: // other builds
			data = strings.Replace(data, debugID, fmt.Sprintf("%032X%d", i/20+1, i%3), 1)
		}
		if i%7 == 0 {
			name += ".gz"
			data = string(gz([]byte(data)))
		}
		paths = append(paths, file(t, dir, name, []byte(data)))
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, without := range []bool{false, true} { // the right ones
		var given []string
		for i, p := range paths {
			if !without || i%10 > 1 {
				given = append(given, p)
			}
		}
		want := ""
		for n := range 100 {
			args := []string{"walk", "-format", "json"}
			for _, i := range rnd.Perm(len(given)) {
				args = append(args, "-symbols", given[i])
			}
			got, _, status := crashglass(append(args, dmp)...)
			if n == 0 {
				want = got
			}
			if status != exitOK || got != want {
				t.Fatalf("order %d changes the report:\n%s\n%s", n, got, want)
			}
			if strings.Contains(got, "crash()") == without {
				t.Fatal(got)
			}
		}
	}
}

// TestOrderOfNativeFiles gives libraries, their debug files and symbol files made of both in many
// orders: complete and damaged files of the right build, copies, truncated files, and mismatched
// files. The answer must not depend on the order.
func TestOrderOfNativeFiles(t *testing.T) {
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Run("windows", func(t *testing.T) {
		packed := read(chain + "chain64.pdb.gz")
		unpacked, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		debug, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		files := variants(t, "chain64.exe", read(chain+"chain64.exe"))
		files = append(files, variants(t, "chain64.pdb", debug)...)
		files = append(files, file(t, t.TempDir(), "chain64.pdb.gz", packed))
		files = append(files, symsOf(t, files[0]), symsOf(t, files[0], chain+"chain64.pdb.gz"))
		sameInAnyOrder(t, chain+"chain64.dmp", files)
	})
	t.Run("linux", func(t *testing.T) {
		real := filepath.Join(corpus, "real")
		if _, err := os.Stat(real); err != nil {
			t.Skip("the corpus is not at " + corpus)
		}
		files := variants(t, "vcall_o2", read(real+"/native/vcall_o2"))
		files = append(files, symsOf(t, files[0]), othersSymbols(t, real, "vcall_o2"))
		found, err := filepath.Glob(real + "/symbols/vcall_o2/*/*.sym")
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		sameInAnyOrder(t, real+"/dumps/core_vcall_o2.dmp", append(files, found...))
	})
}

// variants returns a file, a copy, two copies with damage in different halves, a truncated one, and
// one with another id.
func variants(t *testing.T, name string, data []byte) (paths []string) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(5, uint64(len(data))))
	add := func(change func(data []byte) []byte) {
		paths = append(paths, file(t, t.TempDir(), name, change(bytes.Clone(data))))
	}
	add(func(data []byte) []byte { return data })
	add(func(data []byte) []byte { return data })
	for half := range 2 {
		add(func(data []byte) []byte {
			for range 20 {
				data[0x600+half*len(data)/2+rnd.IntN(len(data)/2-0x600)] ^= byte(1 + rnd.IntN(255))
			}
			return data
		})
	}
	add(func(data []byte) []byte { return data[:len(data)*3/4] })
	add(func(data []byte) []byte {
		for i := range data[:0x600] { // ids of ELF files and of PE images are in front
			if bytes.HasPrefix(data[i:], []byte("GNU\x00")) || bytes.HasPrefix(data[i:], []byte("RSDS")) {
				data[i+6] ^= 1
			}
		}
		return data
	})
	return paths
}

// symsOf returns the symbol file that is made of others.
func symsOf(t *testing.T, from ...string) string {
	t.Helper()
	out, errs, status := crashglass(append([]string{"syms"}, from...)...)
	if status != exitOK {
		t.Fatal(errs)
	}
	return file(t, t.TempDir(), "made.sym", []byte(out))
}

// sameInAnyOrder walks with files in fifty orders.
func sameInAnyOrder(t *testing.T, dump string, files []string) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(9, 9))
	want := ""
	for n := range 50 {
		args := []string{"walk", "-format", "json"}
		for _, i := range rnd.Perm(len(files)) {
			args = append(args, "-symbols", files[i])
		}
		got, errs, status := crashglass(append(args, dump)...)
		if n == 0 {
			want = got
		}
		if status != exitOK || got != want {
			t.Fatalf("order %d of %d files changes the report: %s\n%s\n%s", n, len(files), errs, got, want)
		}
	}
	if !strings.Contains(want, `"trust":"cfi"`) {
		t.Errorf("no frame by rules in %s", want)
	}
}
