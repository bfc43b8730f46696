package assistant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
)

// The bounds of a query of memory.
const (
	fewWords  = 16
	mostWords = 128
)

// smallest is the number from which a word may be data. A smaller one cannot be two characters.
const smallest = 0x1000

// memory writes words at an address, rounded down to a word, so that no part of a text can be shifted into view. A masked word is
// shown only if it is a small number or an address.
func (s *server) memory(q memoryQuery, w io.Writer) error {
	d, err := s.dump(q.Dump)
	if err != nil {
		return err
	}
	addr, size, err := d.address(q.Address)
	if err != nil {
		return err
	}
	addr -= addr % uint64(size)
	count := q.Words
	if count <= 0 {
		count = fewWords
	}
	data := d.session.ReadMemory(addr, min(count, mostWords)*size)
	if len(data) < size {
		return fmt.Errorf("no memory is captured at %s", report.Addr(addr, size))
	}
	var values []uint64
	for ; len(data) >= size; data = data[size:] {
		values = append(values, d.word(data[:size]))
	}
	names := map[report.Address]string{}
	for _, p := range d.session.NamedPointers(s.dumps.Symbols(), values) {
		names[p.Address] = (&report.Frame{Certainty: p.Certainty}).Mark(false) + *p.Function
	}
	for i, v := range values {
		at, text := report.Addr(addr+uint64(i*size), size), report.Addr(v, size)
		switch {
		case !s.shows(d, v):
			text = "masked"
		case names[text] != "":
			text += report.Address(" " + s.masked((*sanitize.Masker).Symbol, names[text]))
		}
		fmt.Fprintf(w, "%s: %s\n", at, text)
	}
	return nil
}

// Of masked dumps only values that they show may be queried: otherwise the client could guess others.
func (s *server) find(d *dump, value string, w io.Writer) error {
	v, size, err := d.address(value)
	if err != nil {
		return err
	}
	if !s.shows(d, v) {
		return errors.New("this is no address of the process: only these can be searched in a masked dump")
	}
	pattern := make([]byte, 8)
	if d.order().PutUint64(pattern, v); d.report.SystemInfo.BigEndian {
		pattern = pattern[8-size:]
	}
	found := d.session.Find(pattern[:size], 0)
	for _, addr := range found.Addresses {
		fmt.Fprintln(w, addr)
	}
	if found.Next != nil {
		fmt.Fprintf(w, "memory from %s was not searched\n", *found.Next)
	}
	return nil
}

// address reads an address, and returns it with the size of a word.
func (d *dump) address(text string) (addr uint64, size int, err error) {
	if size = d.report.SystemInfo.PointerWidth; size != 4 && size != 8 {
		return 0, 0, errors.New("the CPU of this dump is unknown")
	}
	if addr, err = strconv.ParseUint(text, 0, 8*size); err != nil {
		return 0, 0, fmt.Errorf("%q is no address", text)
	}
	return addr, size, nil
}

func (d *dump) order() binary.ByteOrder {
	if d.report.SystemInfo.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (d *dump) word(data []byte) uint64 {
	if len(data) == 4 {
		return uint64(d.order().Uint32(data))
	}
	return d.order().Uint64(data)
}

// shows reports whether the client may see a word: a small number, or an address of the process. One whose bytes are all characters
// may be a text: addresses of 32 bits are four characters, and AddressSanitizer reserves all addresses of five.
func (s *server) shows(d *dump, v uint64) bool {
	if s.Reveal || v < smallest {
		return true
	}
	p := d.session.Process()
	_, _, captured := p.Memory.Range(v)
	region := p.RegionAt(v)
	used := captured || region != nil && !region.Free() || slices.ContainsFunc(d.session.Modules(), func(m module.Module) bool { return m.Contains(v) })
	return used && !printable(v)
}

// printable reports whether each byte of a number is 0 or a character.
func printable(v uint64) bool {
	for ; v != 0; v >>= 8 {
		if b := byte(v); b != 0 && (b < ' ' || b > '~') {
			return false
		}
	}
	return true
}
