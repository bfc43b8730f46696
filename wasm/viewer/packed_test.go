package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestZstd opens a dump and its symbols compressed with zstd, as many build machines keep them.
func TestZstd(t *testing.T) {
	packed := func(name string) (out []byte) {
		data, err := os.ReadFile(example + name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
	v := newViewer()
	got := add(t, v, OpenRequest{}, file("crash.dmp.zst", packed("crash.dmp")), file("desk.sym.zst", packed("desk.sym")))
	if len(got.Opened) != 1 {
		t.Fatalf("opened %+v, files %+v", got.Opened, got.Files)
	}
	plain := add(t, newViewer(), OpenRequest{}, exampleFile(t, "crash.dmp"), exampleFile(t, "desk.sym"))
	have, want := calls(crashing(t, got.Opened[0].Report)), calls(crashing(t, plain.Opened[0].Report))
	if len(have) == 0 || len(have) != len(want) || have[0] != want[0] {
		t.Errorf("got %q, want %q", have, want)
	}
}

// TestUpload opens a dump in the body of the request that uploaded it.
func TestUpload(t *testing.T) {
	dump, err := os.ReadFile(example + "crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	body := "--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"crash.dmp\"\r\n\r\n" + string(dump) + "\r\n--b--\r\n"
	got := add(t, newViewer(), OpenRequest{}, file("body", []byte(body)), file("a.jfr", []byte("FLR\x00")))
	if len(got.Opened) != 1 || got.Opened[0].Name != "body/crash.dmp" || len(got.Opened[0].Report.Dump.Archive) != 1 {
		t.Fatalf("opened %+v, files %+v", got.Opened, got.Files)
	}
	other := FileResult{}
	for _, f := range got.Files {
		if f.Kind == "other" {
			other = f
		}
	}
	if other.Name != "a.jfr" || *other.Message != "this is a recording of Java Flight Recorder, not a dump: open it with JDK Mission Control" {
		t.Errorf("files %+v", got.Files)
	}
}

// TestUnpacked opens a dump that the page has decompressed: it has the name and the archive that it has where it is decompressed here.
func TestUnpacked(t *testing.T) {
	dump, err := os.ReadFile(example + "crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(dump)
	w.Close()
	unpacked := file("a/crash.dmp.gz/crash.dmp", dump)
	unpacked.Archive = "a/crash.dmp.gz"
	here := add(t, newViewer(), OpenRequest{}, file("a/crash.dmp.gz", packed.Bytes()))
	there := add(t, newViewer(), OpenRequest{}, unpacked)
	if len(here.Opened) != 1 || len(there.Opened) != 1 {
		t.Fatalf("opened %+v and %+v", here.Files, there.Files)
	}
	a, b := here.Opened[0], there.Opened[0]
	if a.Name != b.Name || len(a.Report.Dump.Archive) != 1 || !slices.Equal(a.Report.Dump.Archive, b.Report.Dump.Archive) {
		t.Errorf("got %q in %q, want %q in %q", b.Name, b.Report.Dump.Archive, a.Name, a.Report.Dump.Archive)
	}
}
