package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"crashglass/core/sanitize"
)

// A capsule is viewer.html with a dump and what it needs inside: each file in
// an element that is no script, packed by gzip, as the page's own files are.
// web/src/engine/capsule.ts reads it.
type capsule struct {
	about capsuleAbout
	files []capsuleFile
	mask  *sanitize.Masker // of what goes with the dump; nil where names stay
}

// masked is a text as it goes into the capsule.
func (k *capsule) masked(text string, by func(*sanitize.Masker, string) string) string {
	if k.mask == nil {
		return text
	}
	return by(k.mask, text)
}

// capsuleAbout is what the page says of a capsule.
type capsuleAbout struct {
	Made    string `json:"made"`    // RFC 3339, UTC
	By      string `json:"by"`      // the program and its version
	Cleaned bool   `json:"cleaned"` // by sanitize
}

// A capsuleFile is one file in it.
type capsuleFile struct {
	role string // "dump", "symbols" or "source"
	name string
	data []byte
}

// The elements of viewer.html that files are in, and those of the example, which
// a capsule does not need. web/pack/viewer.ts writes them.
const (
	firstFile = `<script type="text/plain" data-file="`
	endOfFile = "</script>"
)

var errNoViewer = errors.New("this is no viewer.html of this program")

// write writes viewer with the files inside.
func (k *capsule) write(w io.Writer, viewer []byte) error {
	at := bytes.Index(viewer, []byte(firstFile))
	if at < 0 {
		return errNoViewer
	}
	about, err := json.Marshal(k.about) // it escapes what could end the element
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(viewer[:at])
	fmt.Fprintf(&b, "<script type=\"application/json\" data-capsule>%s</script>\n", about)
	for i := range k.files {
		if err := k.files[i].write(&b); err != nil {
			return err
		}
	}
	if err := writeWithoutExample(&b, viewer[at:]); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func (f *capsuleFile) write(b *bytes.Buffer) error {
	fmt.Fprintf(b, "    <script type=\"text/plain\" data-role=\"%s\" data-name=\"%s\">", f.role, html.EscapeString(oneLine(f.name)))
	letters := base64.NewEncoder(base64.StdEncoding, b)
	packed, err := gzip.NewWriterLevel(letters, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packed.Write(f.data); err != nil {
		return err
	}
	if err := errors.Join(packed.Close(), letters.Close()); err != nil {
		return err
	}
	b.WriteString("</script>\n")
	return nil
}

// writeWithoutExample writes the rest of viewer.html but for the example.
func writeWithoutExample(b *bytes.Buffer, rest []byte) error {
	for {
		start := bytes.Index(rest, []byte(firstFile))
		if start < 0 {
			b.Write(rest)
			return nil
		}
		length := bytes.Index(rest[start:], []byte(endOfFile))
		if length < 0 {
			return errNoViewer
		}
		end := start + length + len(endOfFile)
		name, _, _ := strings.Cut(string(rest[start+len(firstFile):min(end, start+len(firstFile)+200)]), `"`)
		if strings.HasSuffix(name, ".dmp") || strings.HasSuffix(name, ".sym") {
			b.Write(bytes.TrimRight(rest[:start], " \n"))
		} else {
			b.Write(rest[:end])
		}
		rest = rest[end:]
	}
}
