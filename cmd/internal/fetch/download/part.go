package download

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"

	"crashglass/cmd/internal/fetch"
)

// A part is a file that is being downloaded. It has a temporary name until it is complete. A note
// next to it identifies the whole file, so that a later run can resume.
type part struct {
	store *os.Root
	place fetch.Candidate
	note  note
	size  int64 // bytes that are there already
}

// A note identifies the file that a part belongs to.
type note struct {
	URL      string
	Version  string // a strong ETag or a date, which If-Range takes (RFC 9110, 13.1.5)
	Encoding string
}

// file and about are the names of the incomplete file and of its note.
func (p *part) file() string  { return p.place.Path + ".part" }
func (p *part) about() string { return p.file() + ".json" }

// part returns the bytes that an earlier try left of a file.
func (d *downloader) part(place fetch.Candidate) *part {
	p := &part{store: d.store, place: place}
	info, err := d.store.Stat(p.file())
	text, noNote := d.store.ReadFile(p.about())
	if err != nil || noNote != nil || json.Unmarshal(text, &p.note) != nil || p.note.URL != place.URL || p.note.Version == "" {
		p.note = note{}
		return p
	}
	p.size = info.Size()
	return p
}

// resume requests the missing bytes, if the file on the server has not changed.
func (p *part) resume(request *http.Request) {
	if p.size > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", p.size))
		request.Header.Set("If-Range", p.note.Version)
	}
}

// continues reports whether a response begins where the part ends.
func (p *part) continues(answer *http.Response) bool {
	return p.size > 0 && strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", p.size)) &&
		answer.Header.Get("Content-Encoding") == p.note.Encoding
}

// discard removes a part that cannot be continued, so that the next request is for the whole file.
func (p *part) discard() {
	p.store.Remove(p.about())
	p.store.Remove(p.file())
	p.size, p.note = 0, note{}
}

// take appends a response to the part and renames it to the final file. It returns the file's name
// and size.
func (p *part) take(answer *http.Response, body io.Reader) (string, int64, error) {
	name, err := p.final(answer)
	if err != nil {
		return "", 0, err
	}
	if err := p.store.MkdirAll(path.Dir(p.place.Path), 0o777); err != nil {
		return "", 0, err
	}
	out, err := p.open(answer)
	if err != nil {
		return "", 0, err
	}
	n, err := io.Copy(out, io.LimitReader(body, maxBytes-p.size+1))
	if err = errors.Join(broken(err), out.Close()); err != nil {
		return "", 0, err
	}
	switch p.size += n; {
	case p.size > maxBytes:
		p.discard()
		return "", 0, fmt.Errorf("it sent more than %d GiB", maxBytes>>30)
	case p.size < total(answer):
		return "", 0, broken(io.ErrUnexpectedEOF)
	}
	p.store.Remove(p.about())
	return name, p.size, p.store.Rename(p.file(), name)
}

// total returns the size of the whole file from a partial response, or 0 if it is not given: a
// server may send less than the rest (RFC 9110, 15.3.7).
func total(answer *http.Response) int64 {
	_, size, _ := strings.Cut(answer.Header.Get("Content-Range"), "/")
	n, _ := strconv.ParseInt(size, 10, 64) // 0 for "*"
	return n
}

// final returns the name of the complete file. A compressed file is stored as it came, with .gz behind
// its name.
func (p *part) final(answer *http.Response) (string, error) {
	switch encoding := answer.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		return p.place.Path, nil
	case "gzip", "x-gzip":
		return p.place.Path + gzipped, nil
	default:
		return "", fmt.Errorf("it sent the encoding %q, which was not requested", encoding)
	}
}

// open opens the part at its end or, if the response is the whole file, empty.
func (p *part) open(answer *http.Response) (*os.File, error) {
	if answer.StatusCode == http.StatusPartialContent {
		return p.store.OpenFile(p.file(), os.O_WRONLY|os.O_APPEND, 0o666)
	}
	p.discard()
	p.note = note{URL: p.place.URL, Version: version(answer.Header), Encoding: answer.Header.Get("Content-Encoding")}
	text, err := json.Marshal(p.note)
	if err == nil {
		err = p.store.WriteFile(p.about(), text, 0o666)
	}
	if err != nil {
		return nil, err
	}
	return p.store.OpenFile(p.file(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// version returns the value that proves a file unchanged. A weak ETag does not prove it.
func version(h http.Header) string {
	tag := h.Get("ETag")
	if strings.HasPrefix(tag, "W/") {
		tag = ""
	}
	return cmp.Or(tag, h.Get("Last-Modified"))
}

// broken wraps the error of an incomplete response as retryable. A full disk is not retryable, and
// neither is a slow server.
func broken(err error) error {
	var file *os.PathError
	if err == nil || errors.As(err, &file) || errors.Is(err, errSlow) || errors.Is(err, errLong) {
		return err
	}
	return retryable{errors.New("its response broke off")}
}
