package elfcore

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/testkit/corefile"
)

// keepCores is where cores are left for tests that are not in Go: the page's.
var keepCores = flag.String("cores", "", "write cores, a program and a library, and a sparse core of 64 GB to `folder` for other tests")

func TestCoresForThePage(t *testing.T) {
	if *keepCores == "" {
		t.Skip("-cores is not given")
	}
	head, size := corefile.Sparse(t)
	large, largeSize := corefile.Large(t, 600<<20)
	fewer, fewerSize := corefile.Large(t, 150<<20)
	noisy, noisySize := corefile.Large(t, 200<<20)
	for name, data := range map[string][]byte{
		"core.1234": coreFile(t), "demo": corefile.Program(t), "lib.so": corefile.Library(t), "core.sparse": head, "core.zeros": large, "core.fewer": fewer, "core.noise": noisy,
	} {
		if err := os.WriteFile(filepath.Join(*keepCores, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, size := range map[string]int64{"core.sparse": size, "core.zeros": largeSize, "core.fewer": fewerSize, "core.noise": noisySize} {
		if err := os.Truncate(filepath.Join(*keepCores, name), size); err != nil {
			t.Fatal(err)
		}
	}
	writeNoise(t, filepath.Join(*keepCores, "core.noise"), 100<<20, 80<<20)
}

// writeNoise writes what cannot be compressed.
func writeNoise(t *testing.T, path string, at, size int64) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, source := make([]byte, 1<<20), rand.NewChaCha8([32]byte{})
	for end := at + size; at < end; at += int64(len(data)) {
		source.Read(data)
		if _, err := f.WriteAt(data, at); err != nil {
			t.Fatal(err)
		}
	}
}
