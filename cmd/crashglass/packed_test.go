package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// smallSymXz is what `xz -9e --check=crc32` makes of smallSym: no library that
// we use writes the format.
const smallSymXz = "/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4ACNAHNdACaTxJBjcE55t9FScGE4xhqCZMZuz0s00FTw0PQjVMqB/R0tbGzFgQdcZsv5" +
	"VaJofcTY2GXOMjk/YgLGv3UJCcSvCh0pvDJhmpIX4hPqUBjjJPDLV8S2MCVp9RuxVVr9zuE4MZJMOhFKIaJC2CWP4ebyMGAAAAOc" +
	"KpYAAYsBjgEAAEmyBoY+MA2LAgAAAAABWVo="

func packed(w io.WriteCloser, data []byte) {
	w.Write(data)
	w.Close()
}

func zst(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	packed(w, data)
	return b.Bytes()
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	packed(gzip.NewWriter(&b), data)
	return b.Bytes()
}

func inTar(name string, data []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644})
	packed(w, data)
	return b.Bytes()
}

func inZip(t *testing.T, name string, data []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Write(data)
	w.Close()
	return b.Bytes()
}

// TestPacked gives symbols and dumps in everything that they come packed in.
func TestPacked(t *testing.T) {
	sym, dump := []byte(smallSym), smallDump(t)
	xz, err := base64.StdEncoding.DecodeString(smallSymXz)
	if err != nil {
		t.Fatal(err)
	}
	const inStore = "app/" + debugID + "/app.sym"
	for name, data := range map[string][]byte{
		"app.sym.gz":                gz(sym),
		"app.sym.zst":               zst(t, sym),
		"app.sym.xz":                xz,
		"s.tar.gz":                  gz(inTar("x/app.sym", sym)),
		"s.tar.zst":                 zst(t, inTar("x/app.sym", sym)),
		"s.zip":                     inZip(t, "x/app.sym.zst", zst(t, sym)),
		"nested.zip":                inZip(t, "s.tar.zst", zst(t, inTar("x/app.sym", sym))),
		"members.tar.gz":            gz(inTar("x/app.sym.xz", xz)),
		"folder/" + inStore:         sym,
		"gz/" + inStore + ".gz":     gz(sym),
		"zst/" + inStore + ".zst":   zst(t, sym),
		"xz/" + inStore + ".xz":     xz,
		"two/ap/" + inStore + ".xz": xz,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := file(t, dir, name, data)
			if folder, _, ok := strings.Cut(name, "/"); ok {
				path = dir + "/" + folder
			}
			out, errs, status := crashglass("walk", "-symbols", path, file(t, dir, "small.dmp.zst", zst(t, dump)))
			if status != exitOK || errs != "" || !strings.Contains(out, " 0  app!crash() [app.cc : 12 + 0x18]\n") {
				t.Errorf("status %d, errors %q, output\n%s", status, errs, out)
			}
		})
	}
}
