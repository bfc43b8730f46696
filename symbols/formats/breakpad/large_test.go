package breakpad

import (
	"bufio"
	"bytes"
	"flag"
	"os"
	"strconv"
	"testing"
)

var (
	largeFrom = flag.String("from", "", "the symbol file that -large repeats")
	largeTo   = flag.String("large", "", "write a large symbol file there")
	largeSize = flag.Int64("size", 1<<30, "of how many bytes, about")
)

// TestLargeSymbols makes the files that ./build.sh bench measures with: the
// records of a real one at other addresses, again and again. A smaller file
// has the first of its functions.
func TestLargeSymbols(t *testing.T) {
	if *largeTo == "" {
		t.Skip("no -large was given")
	}
	data, err := os.ReadFile(*largeFrom)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(*largeTo)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	// What ascends in the real file ascends in the large one: all FUNC come
	// before all STACK CFI INIT of one section, and these before the next.
	for section, last := 0, 0; section <= last; section++ {
		written := int64(0)
		for round := uint64(0); written < *largeSize; round++ {
			var at sections
			for rest := data; len(rest) > 0 && written < *largeSize; {
				line, after, _ := bytes.Cut(rest, []byte("\n"))
				rest = after
				last = max(last, at.of(line))
				if line = elsewhere(line, round<<32); line == nil {
					continue
				}
				if written += int64(len(line)) + 1; at.n == section {
					w.Write(append(line, '\n'))
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// sections numbers the runs of ascending STACK CFI INIT records from 1. Records before the first run
// have number 0.
type sections struct {
	n    int
	addr uint64
}

func (s *sections) of(line []byte) int {
	if k, rest := kindOf(line); k == kindInit {
		f := fieldsOf(rest)
		addr := f.hex()
		if s.n == 0 || addr < s.addr {
			s.n++
		}
		s.addr = addr
	}
	return s.n
}

// elsewhere moves a record by some bytes. What has no address is needed once.
func elsewhere(line []byte, by uint64) []byte {
	if by == 0 {
		return line
	}
	first, last := 0, 0 // the fields with addresses, of which every other one is a size
	switch k, _ := kindOf(line); k {
	case kindFunc, kindPublic:
		first, last = 1, 1
	case kindLine:
	case kindInit:
		first, last = 3, 3
	case kindCFI:
		first, last = 2, 2
	case kindInline:
		first, last = 5, len(line)
	default:
		return nil
	}
	out := make([]byte, 0, len(line)+64)
	for i := 0; len(line) > 0; i++ {
		field, rest, more := bytes.Cut(line, []byte(" "))
		if i >= first && i <= last && (i-first)%2 == 0 {
			out = appendMoved(out, field, by)
		} else {
			out = append(out, field...)
		}
		if more {
			out = append(out, ' ')
		}
		if line = rest; i >= last {
			out = append(out, rest...)
			break
		}
	}
	return out
}

func appendMoved(out, address []byte, by uint64) []byte {
	v, err := strconv.ParseUint(string(address), 16, 64)
	if err != nil {
		return append(out, address...)
	}
	return strconv.AppendUint(out, v+by, 16)
}

func TestElsewhere(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"FUNC 1000 10 0 f(int, int)", "FUNC 100001000 10 0 f(int, int)"}, {"1000 8 7 1", "100001000 8 7 1"},
		{"INLINE 0 5 1 2 1000 8 1010 4", "INLINE 0 5 1 2 100001000 8 100001010 4"}, {"PUBLIC 20 0 p", "PUBLIC 100000020 0 p"},
		{"STACK CFI INIT 1000 10 .cfa: $rsp 8 +", "STACK CFI INIT 100001000 10 .cfa: $rsp 8 +"},
		{"STACK CFI 1004 .cfa: $rsp 16 +", "STACK CFI 100001004 .cfa: $rsp 16 +"},
		{"FILE 0 a.c", ""}, {"MODULE Linux x86_64 0 a", ""}, {"INLINE_ORIGIN 0 f", ""},
	} {
		if got := elsewhere([]byte(test.line), 1<<32); string(got) != test.want {
			t.Errorf("%s becomes %s, want %s", test.line, got, test.want)
		}
		if got := elsewhere([]byte(test.line), 0); string(got) != test.line {
			t.Errorf("%s becomes %s", test.line, got)
		}
	}
}
