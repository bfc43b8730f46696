package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// smallSymXz is smallSym after `xz -9e --check=crc32`, because no dependency writes the format.
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

// TestPacked gives symbols and dumps in every kind of archive and compression.
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

// wrapped returns a dump in the form in which crash reporters send it.
func wrapped(dump []byte) map[string][]byte {
	upload := "--b\r\nContent-Disposition: form-data; name=\"prod\"\r\n\r\nApp\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; filename=\"small.dmp\"\r\n\r\n" + string(dump) + "\r\n--b--\r\n"
	ansi := func(name string) string { return "\x04\x01\x00\x00" + name + strings.Repeat("\x00", 260-len(name)) }
	size := string(binary.LittleEndian.AppendUint32(nil, uint32(len(dump))))
	report := "CR1" + ansi("UECC-1") + ansi("UECC-1.uecrash") + "\x00\x00\x00\x00\x01\x00\x00\x00" + // header
		"\x00\x00\x00\x00" + ansi("UEMinidump.dmp") + size + string(dump)
	var unreal bytes.Buffer
	packed(zlib.NewWriter(&unreal), []byte(report))
	return map[string][]byte{"upload": []byte(upload), "upload.gz": gz([]byte(upload)), "a.uecrash": unreal.Bytes()}
}

// TestWrapped gives each command a dump in that form: the result equals that of the dump itself.
func TestWrapped(t *testing.T) {
	dump := smallDump(t)
	for name, data := range wrapped(dump) {
		for _, command := range []string{"walk", "dump", "sanitize"} {
			dir := t.TempDir()
			want, _, _ := crashglass(command, file(t, dir, "small.dmp", dump))
			out, errs, status := crashglass(command, file(t, dir, name, data))
			if status != exitOK || strings.Contains(errs, name) || out != want || len(out) < 100 {
				t.Errorf("%s %s: status %d, errors %q, output\n%s", command, name, status, errs, out)
			}
		}
	}
}

// Files of other programs get one line with their kind and the next step.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ data, want string }{
		"a.hprof": {"JAVA PROFILE 1.0.2\x00", "this is a Java heap dump (HPROF), not a minidump: open it with Eclipse Memory Analyzer or VisualVM"},
		"a.7z":    {"7z\xbc\xaf\x27\x1c", "this is a 7z archive, which is not read here: unpack it with 7z x"},
		"a.zip":   {string(inZip(t, "a.evtx", []byte("ElfFile\x00"))), "this is a zip archive of 1 files, none of which is a dump or a symbol file; " + filepath.ToSlash(dir) + "/a.zip/a.evtx is a Windows event log, not a dump: open it with Event Viewer, whose Application Error entries say what crashed"},
	} {
		path := file(t, dir, name, []byte(tt.data))
		for _, command := range []string{"walk", "dump", "sanitize"} {
			out, errs, status := crashglass(command, path)
			if want := "crashglass: " + path + ": " + tt.want + "\n"; status != exitInput || out != "" || errs != want {
				t.Errorf("%s: status %d, output %q, errors %q, want %q", command, status, out, errs, want)
			}
		}
	}
}
