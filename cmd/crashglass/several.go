package main

import (
	"bytes"
	"fmt"
	"io"

	"crashglass/core/render"
)

// several writes the reports of all dumps of one file, whole or not at all: a log
// or an archive may have hundreds, and they may be made to be long.
type several struct {
	out  io.Writer
	size int
}

// write writes one more, unless all would be longer than one may be.
func (s *several) write(report func(io.Writer) error) error {
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return err
	}
	if s.size += text.Len(); s.size > render.MaxOutput {
		return fmt.Errorf("the reports of its dumps are longer than %d MiB: take it apart to have the others", render.MaxOutput>>20)
	}
	_, err := s.out.Write(text.Bytes())
	return err
}
