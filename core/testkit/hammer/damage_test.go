// Package hammer damages files of every format, and makes every query to each: it writes words of
// zeros, flips bits, truncates files, and writes wrong words. For any bytes there must be an answer
// or an error, in bounded time and memory. A caught panic counts as a bug.
package hammer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/metrics"
	"strings"
	"time"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/report/render"
	"crashglass/core/values/variables"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
)

// A Cost is the cost of the most expensive of many files.
type Cost struct {
	Files int
	Time  time.Duration // of the slowest file
	Bytes uint64        // allocated while it was read, including freed memory
}

// add counts the files of another cost, and keeps the larger time and memory: each is that of one file.
// Tests compare them with a limit that no file may exceed.
func (c *Cost) add(other Cost) {
	c.Files += other.Files
	c.Time, c.Bytes = max(c.Time, other.Time), max(c.Bytes, other.Bytes)
}

// Mutant returns one of the damaged versions of a file, by its number. A quarter each is truncated,
// has one word of zeros, one flipped bit, or wrong words. A file of n bytes has n truncations and
// n/4 words; for a longer file only some of them are used.
func Mutant(whole []byte, number, of int) []byte {
	each := max(of/4, 1)
	n := number % each
	r := rand.New(rand.NewPCG(uint64(number), 19))
	data := bytes.Clone(whole)
	switch number / each {
	case 0:
		return data[:spread(n, each, len(data))]
	case 1:
		at := 4 * spread(n, each, len(data)/4)
		copy(data[at:min(at+4, len(data))], make([]byte, 4))
	case 2:
		data[spread(n, each, len(data))] ^= 1 << r.IntN(8)
	default:
		for range 1 + r.IntN(4) {
			lie(r, data)
		}
	}
	return data
}

// spread returns the n-th of `each` offsets below size: all in turn, or evenly spread ones.
func spread(n, each, size int) int {
	if size <= each {
		return n % max(size, 1)
	}
	return int(int64(n) * int64(size) / int64(each))
}

// lie writes a plausible count, size or offset, aligned or not. The values are those at which readers
// overflow: signed and unsigned limits, powers of two, and offsets at and after the end of the file.
func lie(r *rand.Rand, data []byte) {
	if len(data) < 8 {
		return
	}
	at := r.IntN(len(data) - 7)
	words := []uint64{0, 1, 1<<31 - 1, 1<<32 - 1, 1<<63 - 1, 1<<64 - 1, 1 << r.IntN(64), uint64(len(data)), uint64(at), uint64(r.IntN(len(data)))}
	word := words[r.IntN(len(words))]
	switch r.IntN(4) {
	case 0:
		data[at] = byte(word)
	case 1:
		binary.LittleEndian.PutUint16(data[at:], uint16(word))
	case 2:
		binary.LittleEndian.PutUint32(data[at:], uint32(word))
	default:
		binary.LittleEndian.PutUint64(data[at:], word)
	}
}

// Exercise gives a file to a store, makes a report of each dump in it in every form, and a symbol file
// of each module in it. It returns an error for a result that cannot be right for any bytes.
func Exercise(name string, data []byte) (cost Cost, err error) {
	cost.Files = 1
	before, start := allocated(), time.Now()
	store := symbols.NewStore(symbols.Options{Limits: archive.Limits{Decompressors: decompress.All()}})
	defer func() {
		store.Close()
		cost.Time, cost.Bytes = time.Since(start), allocated()-before
	}()
	for _, item := range store.Add(name, bin.NewSource(bytes.NewReader(data), int64(len(data)))) {
		if err := sound(item.Message); err != nil {
			return cost, err
		}
		if item.Use == symbols.IsDump {
			if err := reports(store, item.Source); err != nil {
				return cost, err
			}
		}
	}
	return cost, modules(store, len(data))
}

// reports makes the report of each dump in a file, with the values of variables. A dump that cannot be
// opened is no failure if the error is a sentence.
func reports(store *symbols.Store, src bin.Source) error {
	sessions, err := analyze.OpenAll(src)
	if err != nil {
		return sound(err.Error())
	}
	for _, s := range sessions {
		r, err := s.Report(store, analyze.Options{Variables: variables.Read})
		if err != nil {
			return err
		}
		for _, note := range r.Notes {
			if err := sound(note.Text); err != nil {
				return err
			}
		}
		for _, write := range []func() error{
			func() error { return render.JSON(io.Discard, r) },
			func() error { return render.Text(io.Discard, r, render.Options{}) },
		} {
			if err := write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// modules looks up some addresses, and lists everything, of the modules in a store. The addresses grow
// by a third each time, so that 4 MB take about 50 queries. A function that starts above the address
// that it was found for is an error.
func modules(store *symbols.Store, size int) error {
	for _, m := range store.Modules() {
		src, _ := store.For(&m)
		if src == nil {
			continue
		}
		for rel := uint64(1); rel < 1<<22; rel += rel/3 + 1 {
			if loc, ok := src.Locate(rel); ok && loc.Start > rel {
				return fmt.Errorf("%#x is in %+v", rel, loc)
			}
			src.CallFrame(rel)
			src.Function(rel)
		}
		if err := store.Export(io.Discard, &m); err != nil {
			if err := sound(err.Error()); err != nil {
				return err
			}
		}
		if _, state := store.For(&m); state.Why != nil { // with the damage that the queries found
			if err := sound(*state.Why); err != nil {
				return err
			}
		}
	}
	return nil
}

// aBug is the beginning of the error of every caught panic. Package bug turns panics into errors, which
// would otherwise look like damage of the file.
var aBug, _, _ = strings.Cut((&bug.Error{}).Error(), "(")

// sound returns an error for a text that is about a bug, or that has several lines.
func sound(text string) error {
	if strings.Contains(text, aBug) || strings.Contains(text, "\n") {
		return fmt.Errorf("%s", text)
	}
	return nil
}

// allocated returns the bytes that the program has allocated so far, also those that are free again. The
// size of the heap would depend on when the collector ran.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
