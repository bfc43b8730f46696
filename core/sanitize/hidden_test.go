package sanitize

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/report"
)

// A masked report has no address that is made of a text: neither as a number nor in a sentence.
func TestMaskAddressesOfText(t *testing.T) {
	const text = "estrel&O"
	v := binary.LittleEndian.Uint64([]byte(text))
	ptr := func(v uint64) *report.Address { a := report.Addr(v, 8); return &a }
	thread := 0
	sentence := fmt.Sprintf("Write to %#x and to 0x10, which is %d (%d)", v+8, v+8, 16)
	r := &report.Report{
		SystemInfo: report.SystemInfo{PointerWidth: 8},
		CrashInfo: report.CrashInfo{
			CrashingThread: &thread, Address: ptr(v), AdjustedAddress: &report.Adjusted{Address: ptr(v + 8)},
			MemoryAccesses: []report.Access{{Address: *ptr(v + 8)}, {Address: *ptr(0x7f28_b7fb_b6d0)}}, PossibleBitFlips: []report.BitFlip{{Address: *ptr(v)}},
		},
		Threads:   []report.Thread{{Frames: []report.Frame{{Registers: report.Registers{{Name: "rax", Value: *ptr(v)}}}}}},
		Verdict:   report.Verdict{What: sentence},
		NextSteps: []report.NextStep{{Value: ptr(v), Text: sentence}},
	}
	masked := Mask(r, nil)
	data := marshal(t, masked)
	for _, hidden := range []uint64{v, v + 8} {
		if strings.Contains(data, fmt.Sprintf("%x", hidden)) || strings.Contains(data, fmt.Sprint(hidden)) {
			t.Errorf("%#x is in %s", hidden, data)
		}
	}
	if got := masked.Verdict.What; got != "Write to 0x2a2a2a2a2a2a2a2a and to 0x10, which is [removed] (16)" {
		t.Errorf("the sentence is %q", got)
	}
	if masked.CrashInfo.MemoryAccesses[1] != r.CrashInfo.MemoryAccesses[1] {
		t.Error("another address is gone")
	}
}

// The sentences about a text that was used as a pointer quote it, and so does that about an overwritten return address.
func TestMaskQuotedText(t *testing.T) {
	const text = "estrel&O"
	v := binary.LittleEndian.Uint64([]byte(text))
	thread := 0
	saved := report.Addr(v, 8)
	quoting := fmt.Sprintf("Register rdi holds %#x, the bytes of %q.", v, text)
	r := &report.Report{
		SystemInfo: report.SystemInfo{PointerWidth: 8},
		CrashInfo:  report.CrashInfo{CrashingThread: &thread, Origin: report.Trail{{Value: &saved, Text: quoting[:len("Register rdi holds 0x0123456789abcdef")]}}},
		Threads: []report.Thread{{Frames: []report.Frame{
			{}, {Overwritten: &report.Overwritten{Address: "0x00007ffd00000010", Value: saved}, Registers: report.Registers{{Name: "rbx", Value: saved}}},
		}}},
		Verdict:   report.Verdict{What: "Text used as a pointer", Finding: report.FindingText, Detail: quoting},
		NextSteps: []report.NextStep{{Text: fmt.Sprintf("Find out why `n` is %#x.", v)}},
	}
	data := marshal(t, Mask(r, nil))
	for _, secret := range []string{text, fmt.Sprintf("%x", v), "estrel"} {
		if strings.Contains(data, secret) {
			t.Errorf("%s is in %s", secret, data)
		}
	}
}
