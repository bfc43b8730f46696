package main

import (
	"bytes"
	"fmt"
	"slices"

	"crashglass/core/dump/minidump"
)

// fields returns the fields of a stream. Its damage is not repeated here, because the report has
// it.
func (c *call) fields(q *FieldsRequest) (*FieldsResult, error) {
	file, err := c.dump.session.Streams()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(file.Streams(), func(s minidump.Stream) bool {
		return uint32(s.Type) == q.Type && int64(s.RVA) == q.Offset
	})
	if i < 0 {
		return nil, fmt.Errorf("viewer: no stream of type %#x at %#x", q.Type, q.Offset)
	}
	layout, _ := file.Fields(i)
	result := &FieldsResult{Fields: make([]Field, 0, len(layout.Fields)), Cut: layout.Cut}
	for _, f := range layout.Fields {
		result.Fields = append(result.Fields, Field{f.Off, f.Size, f.Name, f.Value, f.Record})
	}
	return result, nil
}

// mostFile is the most bytes of a file that one request returns, and mostText those of a report that is text.
const (
	mostFile = 1 << 16
	mostText = 1 << 18
)

// file returns bytes of the dump's file, fewer at its end; of a report that is text, those of its own lines.
func (c *call) file(q *FileRequest) ([]byte, error) {
	if excerpt := c.dump.session.Process().Origin.Excerpt; excerpt != nil {
		return text(excerpt, q)
	}
	size := uint64(max(0, min(q.Size, mostFile)))
	file, err := c.dump.session.Streams()
	if err != nil {
		return nil, err
	}
	data, err := file.Bytes("bytes of the file", minidump.Location{RVA: uint64(max(0, q.Offset)), Size: size})
	if len(data) > 0 {
		return data, nil // bytes after the end of the file are shown as absent
	}
	return nil, err
}

// text returns bytes of a report's lines. Android's protocol buffers are no text.
func text(excerpt func() ([]byte, error), q *FileRequest) ([]byte, error) {
	data, err := excerpt()
	if err != nil || bytes.IndexByte(data[:min(len(data), mostFile)], 0) >= 0 {
		return nil, err
	}
	data = data[min(max(0, q.Offset), int64(len(data))):]
	return data[:max(0, min(q.Size, mostText, len(data)))], nil
}
