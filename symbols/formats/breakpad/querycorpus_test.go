package breakpad

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/testkit/sample"
)

var queries = flag.Int("questions", 500, "how many addresses of each file are queried")

// TestSearchedCorpus asks all symbol files of the corpora by search and by scan.
func TestSearchedCorpus(t *testing.T) {
	var all tally
	files := 0
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".sym") || filepath.Base(filepath.Dir(path)) == "perf" {
			return err
		}
		data, err := unpacked(path)
		if err != nil {
			return err
		}
		files++
		n := askFile(t, path, data)
		if len(data) > 1<<20 {
			t.Logf("%s %d %+v", path, len(data), n)
		}
		all.add(n)
		return nil
	})
	if files == 0 {
		t.Skip("no corpus: ", err)
	}
	t.Logf("%d files: %+v", files, all)
	if all.found < sample.Of(40_000) || all.contested > 0 {
		t.Errorf("%+v in %d files", all, files)
	}
}

func unpacked(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return data, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func askFile(t *testing.T, name string, data []byte) (n tally) {
	questions := sample.Of(*queries)
	if testing.Short() {
		questions = min(questions, 100)
	}
	scanned := openString(t, string(data), Options{})
	rows := rowsOf(t, data)
	rnd := rand.New(rand.NewPCG(1, uint64(len(data))))
	for _, page := range []int64{pageSize, 64 << 10} {
		searched := searching(t, data, page)
		for range questions {
			n.add(compareSearched(t, name, searched, scanned, &rows, someAddress(rnd, &rows)))
		}
	}
	return n
}

// someAddress is in a record of some series, or next to one.
func someAddress(rnd *rand.Rand, rows *[seriesCount][]row3) uint64 {
	list := rows[[]series{byFunc, byFunc, byInit, byWin}[rnd.IntN(4)]]
	if len(list) == 0 {
		return uint64(rnd.IntN(1 << 20))
	}
	r := list[rnd.IntN(len(list))]
	return r.start + rnd.Uint64N(r.size+2) - 1
}

// TestSearchedLarge asks the file that everything is measured with.
func TestSearchedLarge(t *testing.T) {
	data := []byte(perf(t))
	scanned, searched := openString(t, string(data), Options{}), searching(t, data, 64<<10)
	rows := rowsOf(t, data)
	rnd := rand.New(rand.NewPCG(1, 1))
	var n tally
	questions := sample.Of(*queries)
	if testing.Short() {
		questions = min(questions, 500)
	}
	for range questions {
		n.add(compareSearched(t, "perf", searched, scanned, &rows, someAddress(rnd, &rows)))
	}
	t.Logf("%+v", n)
	if n.found < 2*questions || n.contested > 0 {
		t.Errorf("%+v", n)
	}
}
