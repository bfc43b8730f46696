package goroutines

import (
	_ "embed"
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

type field uint8

// The fields.
const (
	stackLo field = iota
	stackHi
	gM
	schedSP
	schedPC
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
	sudogC
	sudogNext
	sudogG
	sudogLink
	chanCount
	chanSize
	chanRecv
	chanSend
	deferred
	deferFunc
	deferLink
	labels
	numFields
)

// fields are their names in the sources, of 64-bit systems.
var fields = [numFields]struct {
	name     string
	optional bool // not every release has it
}{
	stackLo: {name: "g.stack.lo"}, stackHi: {name: "g.stack.hi"}, gM: {name: "g.m"},
	schedSP: {name: "g.sched.sp"}, schedPC: {name: "g.sched.pc"}, schedBP: {name: "g.sched.bp"}, schedG: {name: "g.sched.g", optional: true},
	syscallSP: {name: "g.syscallsp"}, syscallPC: {name: "g.syscallpc"}, syscallBP: {name: "g.syscallbp", optional: true},
	gStatus: {name: "g.atomicstatus"}, goid: {name: "g.goid"}, waitReason: {name: "g.waitreason"}, gopc: {name: "g.gopc"}, parent: {name: "g.parentGoid", optional: true},
	waiting: {name: "g.waiting"}, lockedM: {name: "g.lockedm"}, procID: {name: "m.procid"},
	sudogC: {name: "sudog.c"}, sudogNext: {name: "sudog.next"},
	sudogG: {name: "sudog.g"}, sudogLink: {name: "sudog.waitlink"},
	chanCount: {name: "hchan.qcount"}, chanSize: {name: "hchan.dataqsiz"}, chanRecv: {name: "hchan.recvq.first"},
	chanSend: {name: "hchan.sendq.first"},
	deferred: {name: "g._defer"}, deferFunc: {name: "_defer.fn"}, deferLink: {name: "_defer.link"}, labels: {name: "g.labels"},
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
	minor, err := strconv.Atoi(rest[:end])
	return minor, err == nil
}
