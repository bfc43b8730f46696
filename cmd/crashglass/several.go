package main

import (
	"bytes"
	"fmt"
	"io"

	"crashglass/core/render"
)

// A several writes the reports of all dumps of one file up to a total size, each report complete or
// not at all. A log or an archive may have hundreds of dumps, made to have long reports.
type several struct {
	out  io.Writer
	size int // bytes of all reports, also of one that exceeded the limit
}

// write writes one more report, unless the total would exceed the limit. Then it is an error, and the
// reports before it stay.
func (s *several) write(report func(io.Writer) error) error {
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return err
	}
	if s.size += text.Len(); s.size > render.MaxOutput {
		return fmt.Errorf("the reports of its dumps are longer than %d MiB: unpack it for the others", render.MaxOutput>>20)
	}
	_, err := s.out.Write(text.Bytes())
	return err
}
