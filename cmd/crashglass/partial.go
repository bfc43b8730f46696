package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"crashglass/core/base/bug"
)

// A partial is the error of an input of several parts, of which some could not be used.
type partial struct {
	used  int // dumps that were used
	parts []part
}

// A part is what could not be used: a dump, by its name, or what was left out of the input, without a name.
type part struct {
	name string
	err  error
}

// Error implements error with the first part. A command's lines have more: see failureLines.
func (p *partial) Error() string {
	text := p.parts[0].err.Error()
	if p.parts[0].name != "" {
		text = about(p.parts[0].name, p.parts[0].err)
	}
	if more := len(p.parts) - 1; more > 0 {
		text = fmt.Sprintf("%s; and %d more", text, more)
	}
	return text
}

// add returns an error that ends the work on all dumps: the output cannot be written, or only one dump is allowed.
func (p *partial) add(name string, use func() error) error {
	err := caught(use)
	var inner *partial
	switch {
	case err == nil:
		p.used++
	case errors.As(err, new(*outputError)), errors.Is(err, errSeveral):
		return err
	case errors.As(err, &inner):
		p.used += inner.used
		p.parts = append(p.parts, inner.parts...)
	default:
		p.parts = append(p.parts, part{name, err})
	}
	return nil
}

// caught calls use, and returns a panic as an error.
func caught(use func() error) (err error) {
	defer bug.Catch(&err)
	return use()
}

// result is the error of an input of a number of dumps, of which left was not read. The error of an only dump is one
// of the input.
func (p *partial) result(dumps int, left error) error {
	switch {
	case len(p.parts) == 0:
		return left
	case left != nil:
		p.parts = append(p.parts, part{"", left})
	case dumps == 1 && len(p.parts) == 1 && p.used == 0:
		return p.parts[0].err
	}
	return p
}

// partsOf returns what could not be used of an input, by its error: the input, or parts of it.
func partsOf(input string, err error) []part {
	var some *partial
	if !errors.As(err, &some) {
		return []part{{input, err}}
	}
	parts := slices.Clone(some.parts)
	for i := range parts {
		parts[i].name = cmp.Or(parts[i].name, input)
	}
	return parts
}

// failureLines are those about an input that failed, or about its parts: the first dumps, the number of the others,
// and what was left out.
func failureLines(input string, err error) (lines []string) {
	dumps := 0
	for _, p := range partsOf(input, err) {
		isDump := !errors.As(p.err, new(*leftOut))
		if isDump {
			dumps++
		}
		if !isDump || dumps <= maxSaid {
			lines = append(lines, about(p.name, p.err))
		}
	}
	if dumps > maxSaid {
		lines = append(lines, fmt.Sprintf("%s: %d more of its dumps were not read", input, dumps-maxSaid))
	}
	return lines
}
