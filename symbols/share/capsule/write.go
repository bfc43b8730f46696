package capsule

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"crashglass/core/report/render"
)

// How elements with a file begin and end in viewer.html. web/pack/viewer.ts writes them.
const (
	firstFile = `<script type="text/plain" data-file="`
	endOfFile = "</script>"
)

// errNoViewer is the error for a file that has no elements with files.
var errNoViewer = errors.New("this is no viewer.html of this program")

// Write writes viewer with the files inside.
func (k *Capsule) Write(w io.Writer, viewer []byte) error {
	at := bytes.Index(viewer, []byte(firstFile))
	if at < 0 {
		return errNoViewer
	}
	about, err := json.Marshal(k.About) // it escapes what could end the element
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(viewer[:at])
	fmt.Fprintf(&b, "<script type=\"application/json\" data-capsule>%s</script>\n", about)
	for i := range k.Files {
		if err := k.Files[i].write(&b, k.Pack); err != nil {
			return err
		}
	}
	if err := writeWithoutExample(&b, viewer[at:]); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func (f *File) write(b *bytes.Buffer, pack func(io.Writer, []byte) error) error {
	fmt.Fprintf(b, "    <script type=\"text/plain\" data-role=\"%s\" data-name=\"%s\">", f.Role, html.EscapeString(render.Escape(f.Name)))
	letters := base64.NewEncoder(base64.StdEncoding, b)
	if err := errors.Join(pack(letters, f.Data), letters.Close()); err != nil {
		return err
	}
	b.WriteString("</script>\n")
	return nil
}

// writeWithoutExample leaves out the dump and symbols of the example, which a capsule does not need.
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
