package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// An entry is a file of an archive. It has no owner, and each has the same time, so that equal files make equal archives.
type entry struct {
	name string
	data []byte
	mode fs.FileMode
}

// epoch is the time of each file: the first that zip can state.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func under(folder string, files []entry) []entry {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].name = folder + "/" + moved[i].name
	}
	return moved
}

// tarball makes a .tar.gz.
func tarball(files []entry) []byte {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, f := range files {
		must(w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode), ModTime: epoch, Format: tar.FormatUSTAR}))
		get(w.Write(f.data))
	}
	must(w.Close())
	return gzipped(packed.Bytes())
}

// gzipped compresses without a time.
func gzipped(data []byte) []byte {
	var packed bytes.Buffer
	w := get(gzip.NewWriterLevel(&packed, gzip.BestCompression))
	get(w.Write(data))
	must(w.Close())
	return packed.Bytes()
}

func zipped(files []entry) []byte {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(f.mode)
		get(get(w.CreateHeader(h)).Write(f.data))
	}
	must(w.Close())
	return packed.Bytes()
}

// filesOf returns the files of a folder, sorted by name.
func filesOf(folder string) (files []entry) {
	must(fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, entry{name, get(os.ReadFile(folder + "/" + name)), 0o644})
		}
		return err
	}))
	return files
}

// sumsOf lists digests of files by name, as sha256sum checks them.
func sumsOf(files []entry) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", digest(f.data), f.name)
	}
	return b.String()
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// different returns the names of the files in which two folders differ.
func different(a, b string) []string {
	count := map[string]int{}
	for line := range strings.Lines(sumsOf(filesOf(a)) + sumsOf(filesOf(b))) {
		count[line]++
	}
	names := map[string]bool{}
	for line, n := range count {
		if _, name, _ := strings.Cut(strings.TrimSpace(line), "  "); n == 1 {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
