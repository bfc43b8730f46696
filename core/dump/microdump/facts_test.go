package microdump

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// What a microdump says of the product and its device, by what its records say.
// A client is asked for "name:version", and not all clients follow.
func TestFacts(t *testing.T) {
	for _, tt := range []struct{ records, want string }{
		{"V Browser:94.0.1", "product=Browser, version=94.0.1"},
		{"V Browser", "product=Browser"},
		{"V a:b:1", "product=a:b, version=1"},
		{"V :1", "version=1"},
		{"V UNKNOWN:0.0.0.0", ""},
		{"V UNKNOWN", "product=UNKNOWN"}, // only the whole of it is the writer's word
		{"P UNKNOWN", ""},
		{"P gpu", "process_type=gpu"},
		{"O L x86_64 04 Pixel Book", "machine=Pixel"},
		{"H 1000 2000 3 40 50", "free address space=80 bytes in 3 holes, the largest of 64"},
		{"H 1000 2000 3 40", ""},
	} {
		var got []string
		for _, f := range openLog(t, microLog("", Begin, tt.records, microEnd))[0].Process.Annotations {
			if f.Source != "microdump" {
				t.Errorf("%s is of %q", f.Name, f.Source)
			}
			got = append(got, f.Name+"="+f.Value)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.records, strings.Join(got, ", "), tt.want)
		}
	}
}

// Without a signal's name nothing says which signal a number is.
func TestLacksOfMicrodumps(t *testing.T) {
	always := process.CPUModel | process.SystemVersion | process.SignalCode | process.CodeIDs | process.Places | process.Copy
	for record, want := range map[string]process.Lack{
		"R 0000000B SIGSEGV 00000123": always,
		"R 0000000B  ":                always | process.SignalNumber,
	} {
		if got := openLog(t, microLog("", Begin, record, microEnd))[0].Process.Lacks; got != want {
			t.Errorf("%q lacks %s; want %s", record, got, want)
		}
	}
}

// Lines of logs, with the writer and the message that logcat put into each.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		line, writer, message string
		ok                    bool
	}{
		{line: "F/google-breakpad( 3745): V x", writer: "3745", message: "V x", ok: true},
		{line: "F/google-breakpad: V x", writer: "", message: "V x", ok: true},
		{line: "02-23 15:49:14.700  1740  1739 F google-breakpad: V x", writer: "1740 1739 ", message: "V x", ok: true},
		{line: "02-23 15:49:14.700 F/google-breakpad( 3745): V x", writer: "3745", message: "V x", ok: true},
		{line: "google-breakpad:", writer: "", message: "", ok: true},
		{line: "google-breakpad:  two spaces", writer: "", message: " two spaces", ok: true},
		{line: "google-breakpad( 3745: V x", writer: "", message: ""},
		{line: "google-breakpad is here", writer: "", message: " is here"},
		{line: "another writer: V x", writer: "", message: ""},
		{line: "", writer: "", message: ""},
	} {
		writer, message, ok := split([]byte(tt.line))
		if ok != tt.ok || ok && (writer != tt.writer || string(message) != tt.message) {
			t.Errorf("%q: %q, %q, %t", tt.line, writer, message, ok)
		}
	}
}

// A piece of the stack that does not follow the one before is a piece of its own.
// The thread's stack is the piece that its stack pointer lies in.
func TestStackOfTheThread(t *testing.T) {
	pieces := []string{"S 1000 " + strings.Repeat("11", 16), "S 1010 " + strings.Repeat("22", 16), "S 3000 " + strings.Repeat("33", 16)}
	for _, tt := range []struct{ sp, base, size uint64 }{
		{0x1000, 0x1000, 32},
		{0x101f, 0x1000, 32},
		{0x1020, 0x1000, 32}, // in none: the first
		{0x2fff, 0x1000, 32},
		{0x3000, 0x3000, 16},
		{0x300f, 0x3000, 16},
		{0x3010, 0x1000, 32},
	} {
		records := append([]string{Begin, fmt.Sprintf("S 0 %X 1000 30", tt.sp)}, append(pieces, microEnd)...)
		threads, err := openLog(t, microLog("", records...))[0].Threads()
		if err != nil || threads[0].Stack.Base != tt.base || threads[0].Stack.Size != tt.size {
			t.Errorf("sp %#x: stack %+v, %v; want %d bytes at %#x", tt.sp, threads[0].Stack, err, tt.size, tt.base)
		}
	}
}

// An identifier has a GUID and an age of one to eight digits. Its first eight bytes
// are three numbers, the rest are bytes in their order.
func TestDebugIDs(t *testing.T) {
	const guid = "0123456789ABCDEF0011223344556677"
	for text, want := range map[string]string{
		guid + "0":         guid + "0",
		guid + "1":         guid + "1",
		guid + "FFFFFFFF":  guid + "ffffffff",
		guid:               "",
		guid + "123456789": "",
		"":                 "",
		guid + "+":         "",
	} {
		id, ok := minidump.ParseDebugID(text)
		if ok != (want != "") || ok && !strings.EqualFold(id.DebugID(), want) {
			t.Errorf("%s: %+v, %t", text, id, ok)
		}
	}
}
