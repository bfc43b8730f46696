package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// An Address is a number as a hex string, padded to the dump's pointer width, because JavaScript's
// numbers would round it.
type Address string

// Addr formats v for pointers of width bytes. Values that need more digits get them.
func Addr(v uint64, width int) Address {
	var room [2 + 16]byte // a report has millions of addresses, and fmt would be too slow
	at := len(room)
	for ; v != 0 || at > max(len(room)-max(2*width, 1), 2); v >>= 4 {
		at--
		room[at] = "0123456789abcdef"[v&0xf]
	}
	at -= 2
	room[at], room[at+1] = '0', 'x'
	return Address(room[at:])
}

// Hex formats v without padding.
func Hex(v uint64) Address { return Address(fmt.Sprintf("%#x", v)) }

// Number returns the number, 0 if it is none.
func (a Address) Number() uint64 {
	v, _ := strconv.ParseUint(string(a), 0, 64)
	return v
}

// Registers are a frame's known registers, in the CPU's order. In JSON they are an object.
type Registers []Register

// A Register is one register's value.
type Register struct {
	Name  string
	Value Address
}

// MarshalJSON writes an object with its keys in the order of the registers.
func (r Registers) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, reg := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(reg.Name)
		if err != nil {
			return nil, fmt.Errorf("report: register %q: %w", reg.Name, err)
		}
		fmt.Fprintf(&b, "%s:%q", name, string(reg.Value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Text is an optional text, "" for none.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
