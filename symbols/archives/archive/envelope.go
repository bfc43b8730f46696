package archive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"crashglass/core/base/bin"
)

// An envelope of Sentry's is lines of JSON: a header for all of it, and one
// before each item, which may be a dump. https://develop.sentry.dev/sdk/envelopes/,
// "Serialization Format".

// An itemHeader has the needed fields of an item's header.
type itemHeader struct {
	Type     string `json:"type"`
	Length   *int64 `json:"length"` // without it the item ends with its line
	Filename string `json:"filename"`
}

// isEnvelope looks for two lines of JSON. The second one describes an item.
func isEnvelope(head []byte) bool {
	first, rest, ok := bytes.Cut(head, []byte("\n"))
	if !ok || !bytes.HasPrefix(first, []byte("{")) || !json.Valid(first) {
		return false
	}
	_, _, ok = itemOf(rest)
	return ok
}

// itemOf reads the header of an item, and returns its size with the line end.
func itemOf(b []byte) (h itemHeader, size int, ok bool) {
	line, _, ok := bytes.Cut(b, []byte("\n"))
	ok = ok && json.Unmarshal(line, &h) == nil && h.Type != ""
	return h, len(line) + 1, ok
}

// listEnvelope lists the items, up to one whose header cannot be read.
func listEnvelope(src bin.Source, budget *Budget) (out []Member, err error) {
	for at := lineEnd(src, 0); at < src.Size(); {
		head, err := src.ReadUpTo("item", at, HeadSize)
		if err != nil {
			return out, fmt.Errorf("archive: envelope: %w", err)
		}
		h, size, ok := itemOf(head)
		if !ok {
			break
		}
		if err := budget.member("envelope"); err != nil {
			return out, err
		}
		at += int64(size)
		m := h.member(src, at)
		out = append(out, m)
		if at += m.Size; src.Has(at, 1) {
			at++ // the line end after each item
		}
	}
	return out, nil
}

// member is the item whose content is at an offset. The last one may be
// truncated.
func (h itemHeader) member(src bin.Source, at int64) Member {
	var size int64
	if h.Length != nil {
		size = min(max(*h.Length, 0), src.Size()-at)
	} else {
		size = max(lineEnd(src, at)-1-at, 0)
	}
	name := cmp.Or(h.Filename, h.Type)
	return Member{Name: clean(name), Size: size, in: Envelope, data: place(section(src, at, size))}
}

// lineEnd is where the line at an offset ends, or the file.
func lineEnd(src bin.Source, at int64) int64 {
	for ; at < src.Size(); at += HeadSize {
		data, err := src.ReadUpTo("line", at, HeadSize)
		if err != nil {
			break
		}
		if n := bytes.IndexByte(data, '\n'); n >= 0 {
			return at + int64(n) + 1
		}
	}
	return src.Size()
}
