package goroutines

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// layoutText has the offsets and the texts of each release from which on they differ. TestLayouts makes it from the
// sources of the releases.
//
//go:embed layouts.txt
var layoutText string

// A layout has the offsets in the structures of the runtime that are read.
type layout struct {
	at      [numFields]int64 // -1 if the release lacks the field
	reasons []string         // why a goroutine waits, by number
}

// A field is one of these offsets.
type field uint8

// The fields.
const (
	stackLo field = iota
	stackHi
	gM
	schedSP
	schedPC
	schedLR
	schedBP
	schedG
	syscallSP
	syscallPC
	syscallBP
	gStatus
	goid
	waitReason
	gopc
	parent
	waiting
	lockedM
	procID
	sudogElem
	sudogC
	sudogSelect
	sudogNext
	sudogG
	sudogLink
	chanCount
	chanSize
	chanClosed
	chanRecv
	chanSend
	numFields
)

// fields are their names in the sources, of 64-bit systems.
var fields = [numFields]struct {
	name     string
	optional bool // not every release has it
}{
	stackLo: {"g.stack.lo", false}, stackHi: {"g.stack.hi", false}, gM: {"g.m", false},
	schedSP: {"g.sched.sp", false}, schedPC: {"g.sched.pc", false}, schedLR: {"g.sched.lr", false}, schedBP: {"g.sched.bp", false}, schedG: {"g.sched.g", true},
	syscallSP: {"g.syscallsp", false}, syscallPC: {"g.syscallpc", false}, syscallBP: {"g.syscallbp", true},
	gStatus: {"g.atomicstatus", false}, goid: {"g.goid", false}, waitReason: {"g.waitreason", false}, gopc: {"g.gopc", false}, parent: {"g.parentGoid", true},
	waiting: {"g.waiting", false}, lockedM: {"g.lockedm", false}, procID: {"m.procid", false},
	sudogElem: {"sudog.elem", false}, sudogC: {"sudog.c", false}, sudogSelect: {"sudog.isSelect", false}, sudogNext: {"sudog.next", false},
	sudogG: {"sudog.g", false}, sudogLink: {"sudog.waitlink", false},
	chanCount: {"hchan.qcount", false}, chanSize: {"hchan.dataqsiz", false}, chanClosed: {"hchan.closed", false}, chanRecv: {"hchan.recvq.first", false},
	chanSend: {"hchan.sendq.first", false},
}

// section returns the lines of the last release up to a minor version, "" before the first one.
func section(text string, minor int) (lines string) {
	for part := range strings.SplitSeq(text, "go 1.") {
		head, rest, _ := strings.Cut(part, "\n")
		if n, err := strconv.Atoi(head); err == nil && n <= minor {
			lines = rest
		}
	}
	return lines
}

// layoutOf returns the layout of a release, nil if it is not in the table.
func layoutOf(minor int) *layout {
	lines := section(layoutText, minor)
	if lines == "" {
		return nil
	}
	l := &layout{}
	known := map[string]int64{}
	for line := range strings.Lines(lines) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "reasons" {
			l.reasons = strings.Split(rest, "|")
			continue
		}
		for word := range strings.FieldsSeq(rest) {
			name, number, _ := strings.Cut(word, "=")
			known[name], _ = strconv.ParseInt(number, 10, 64)
		}
	}
	for i, f := range fields {
		l.at[i] = -1
		if n, ok := known[f.name]; ok {
			l.at[i] = n
		}
	}
	return l
}

// minorOf returns the minor version of a release: of "go1.26.8", "go1.26rc1 X:foo" or "devel go1.27-abc".
func minorOf(version string) (minor int, ok bool) {
	_, rest, ok := strings.Cut(version, "go1.")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	_, err := fmt.Sscan(rest[:end], &minor)
	return minor, err == nil
}
