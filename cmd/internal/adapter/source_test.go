package adapter

import (
	"bytes"
	"crypto/md5"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/testkit/symbolsource"
)

// A file of this machine differs from a checksum only if it is there and has other contents.
func TestDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte("int x;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum([]byte("int x;\n"))
	for _, tt := range []struct {
		path, algorithm string
		sum             []byte
		want            bool
	}{
		{path: path, algorithm: "MD5", sum: sum[:]}, {path: path, algorithm: "MD5", sum: sum[1:], want: true}, {path: path, algorithm: "SHA1", sum: sum[:], want: true},
		{path: path, algorithm: "SHA256", sum: sum[:], want: true}, {path: path, algorithm: "CRC", sum: sum[:]}, {path: path + "x", algorithm: "MD5"},
		{path: filepath.Dir(path), algorithm: "MD5"},
	} {
		if got := differs(tt.path, tt.algorithm, tt.sum); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.path, tt.algorithm, got, tt.want)
		}
	}
}

// summed are symbols with a checksum for each file.
type summed struct{ symbolsource.Bare }

func (summed) SourceSum(rel uint64, file string) (string, []byte) { return "MD5", []byte{1, 2} }

func (s summed) For(*module.Module) (analyze.Source, report.Symbols) {
	return s, report.Symbols{}
}

// A row's source has the checksum of the symbols, and the user is told once that the file here is another one.
func TestRowSource(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte("int x;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := &session{dump: linuxDump(t), out: &out, pending: map[int]bool{}, open: func(Launch, io.Writer) (Opened, error) { return linuxDump(t), nil }}
	s.dump.Symbols = summed{}
	index, offset := 0, report.Address("0x10")
	at := row{frame: &report.Frame{ModuleIndex: &index, ModuleOffset: &offset}, file: &path}
	for range 2 {
		got := s.rowSource(at)
		if len(got.Checksums) != 1 || got.Checksums[0].Algorithm != "MD5" || got.Checksums[0].Checksum != "0102" {
			t.Errorf("%+v", got)
		}
	}
	if strings.Count(out.String(), "is not the file of the build: its MD5") != 1 {
		t.Error(out.String())
	}
	if got := s.rowSource(row{frame: &report.Frame{}, file: &path}); got == nil || got.Checksums != nil {
		t.Errorf("without a module: %+v", got)
	}
}
