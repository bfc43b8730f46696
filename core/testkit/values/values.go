// Package values has the helpers that tests of variables share: captured memory, values as one line
// of text, and damaged copies of input.
//
//	f := open(t, ...)
//	want := "f: (n) = 5, p {x = 6}"
//	if got := values.Shown(frame(f, values.Captured{0x8ff0: 5})); got != want {
package values

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/values/variables"
)

// Captured is memory: little-endian words of 8 bytes by their address, which is a multiple of 8.
type Captured map[uint64]uint64

// Read implements variables.Memory.
func (c Captured) Read(addr uint64, p []byte) (n int) {
	for n < len(p) {
		at := addr + uint64(n)
		v, ok := c[at&^7]
		if !ok {
			return n
		}
		n += copy(p[n:], binary.LittleEndian.AppendUint64(nil, v)[at&7:])
	}
	return n
}

// Shown writes the scopes of a frame in one line: "f: (a) = 1, b = 2, b@12 = 3 | ...". An argument
// is in brackets, a member in braces; 12 is the line of a block.
func Shown(f *variables.Context) string {
	var scopes []string
	for _, s := range variables.Read(f, variables.Limits{}) {
		var list []string
		for _, v := range s.Values {
			list = append(list, One(v))
		}
		scopes = append(scopes, s.Function+": "+strings.Join(list, ", "))
	}
	return strings.Join(scopes, " | ")
}

// One writes a value, as Shown does. A value that is not known has its state in angle brackets.
func One(v *variables.Value) string {
	text := v.Name
	if v.Argument {
		text = "(" + text + ")"
	}
	if v.Block.Line > 0 {
		text += fmt.Sprintf("@%d", v.Block.Line)
	}
	if v.Hidden {
		text += " hidden"
	}
	if v.Said {
		text += " = " + v.Text
	}
	if v.State != variables.Known {
		text += " <" + v.State.String() + ">"
	}
	for _, c := range v.Children {
		text += " {" + One(c) + "}"
	}
	return text
}

// slowest bounds the time for reading a small, damaged file. Usually it takes less than a millisecond;
// the limit has room for busy machines.
const slowest = 10 * time.Second

// Damage calls read with parts of a file, and with copies in which some bytes and words are
// replaced. The words are meaningful values of the format. It fails if a call is slow; a panic of
// read fails the test anyway.
func Damage(t *testing.T, rounds int, words []uint32, parts [][]byte, read func(parts [][]byte)) {
	t.Helper()
	timed := func(parts [][]byte) {
		begin := time.Now()
		read(parts)
		if took := time.Since(begin); took > slowest {
			t.Fatalf("%v for %x", took, parts)
		}
	}
	timed(parts)
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		bad := make([][]byte, len(parts))
		for i := range parts {
			bad[i] = slices.Clone(parts[i])
		}
		for range 1 + random.IntN(20) {
			spoil(random, words, pick(random, bad))
		}
		timed(bad)
	}
}

// pick chooses a random offset in one of the parts, and returns the bytes from there on. Each byte is
// equally likely.
func pick(random *rand.Rand, parts [][]byte) []byte {
	total := 0
	for _, p := range parts {
		total += len(p)
	}
	at := random.IntN(total)
	for _, p := range parts {
		if at < len(p) {
			return p[at:]
		}
		at -= len(p)
	}
	return nil
}

// spoil overwrites the bytes at an offset with a word, half a word, or one random byte.
func spoil(random *rand.Rand, words []uint32, at []byte) {
	switch word := words[random.IntN(len(words))]; {
	case random.IntN(3) == 0 && len(at) >= 4:
		binary.LittleEndian.PutUint32(at, word)
	case random.IntN(2) == 0 && len(at) >= 2:
		binary.LittleEndian.PutUint16(at, uint16(word))
	default:
		at[0] = byte(random.Uint32())
	}
}
