package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A callLines rewrites the lines of functions for symbol files without inlined calls. Code of an inlined function has the
// line in the outer function that calls it, as Mozilla's dump_syms writes it: a line of the inlined function's file would
// belong to no function in the stack. Lines that follow each other and are equal become one.
//
// Source: collect_function_without_inlines in src/collector.rs of mozilla/dump_syms 2.3.9; records of Breakpad's
// docs/symbol_files.md.
type callLines struct {
	w      io.Writer
	calls  []lineRecord // of the function, not nested, in the order of addresses
	sorted bool
	last   lineRecord // not written yet; its size is 0 for none
	end    uint64     // of what was written
}

// A lineRecord is code of one line, or of a call.
type lineRecord struct {
	addr, size uint64
	where      string // line and file, as the record has them
}

func (l *callLines) function() error {
	err := l.flush()
	l.calls, l.sorted, l.end = l.calls[:0], false, 0
	return err
}

// inline reads "INLINE DEPTH LINE FILE ORIGIN [ADDRESS SIZE]+". Calls inside of inlined functions do not count.
func (l *callLines) inline(record string) {
	fields := strings.Fields(record)
	if len(fields) < 7 || fields[1] != "0" {
		return
	}
	for at := 5; at+1 < len(fields); at += 2 {
		addr, err1 := strconv.ParseUint(fields[at], 16, 64)
		size, err2 := strconv.ParseUint(fields[at+1], 16, 64)
		if err1 == nil && err2 == nil {
			l.calls = append(l.calls, lineRecord{addr, size, fields[2] + " " + fields[3]})
		}
	}
}

// line takes a line record "ADDRESS SIZE LINE FILE", and reports whether it is one.
func (l *callLines) line(record string) (is bool, err error) {
	fields := strings.Fields(record)
	if len(fields) != 4 {
		return false, nil
	}
	addr, err1 := strconv.ParseUint(fields[0], 16, 64)
	size, err2 := strconv.ParseUint(fields[1], 16, 64)
	if err1 != nil || err2 != nil {
		return false, nil
	}
	if !l.sorted {
		slices.SortStableFunc(l.calls, func(a, b lineRecord) int { return cmp.Compare(a.addr, b.addr) })
		l.sorted = true
	}
	return true, l.divide(lineRecord{addr, size, fields[2] + " " + fields[3]})
}

// divide writes the parts of a line that are in no call with the line itself, and the others with the line of the call.
// Records ascend; what an earlier one covered is left out, so the work is linear.
func (l *callLines) divide(r lineRecord) error {
	end := r.addr + r.size
	if end < r.addr {
		return nil
	}
	at := max(r.addr, l.end)
	for at < end {
		for len(l.calls) > 0 && l.calls[0].addr+l.calls[0].size <= at {
			l.calls = l.calls[1:]
		}
		part := lineRecord{at, end - at, r.where}
		if len(l.calls) > 0 && l.calls[0].addr <= at {
			part.size, part.where = min(end, l.calls[0].addr+l.calls[0].size)-at, l.calls[0].where
		} else if len(l.calls) > 0 && l.calls[0].addr < end {
			part.size = l.calls[0].addr - at
		}
		if err := l.add(part); err != nil {
			return err
		}
		at += part.size
	}
	l.end = max(l.end, end)
	return nil
}

// add joins a part to the one before it. A call without a line is left out, as a line 0 is.
func (l *callLines) add(part lineRecord) error {
	if l.last.size > 0 && l.last.where == part.where && l.last.addr+l.last.size == part.addr {
		l.last.size += part.size
		return nil
	}
	err := l.flush()
	if !strings.HasPrefix(part.where, "0 ") {
		l.last = part
	}
	return err
}

func (l *callLines) flush() (err error) {
	if l.last.size > 0 {
		_, err = fmt.Fprintf(l.w, "%x %x %s\n", l.last.addr, l.last.size, l.last.where)
	}
	l.last.size = 0
	return err
}
