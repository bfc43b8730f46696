package sniff

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// clr is the beginning of a PE file whose COFF header is at 4: an optional header with so many
// data directories, one section of 200 bytes at 2000 and at 120 in the file, and a CLI header there.
func clr(t testing.TB, magic uint16, dirs, unwind, at, cliSize, flags, native uint32) []byte {
	s := asm.At(0).Text("PE\x00\x00").U16(0x14c, 1).Zeros(12).U16(uint16(240), 0).U16(magic)
	s.Zeros(map[uint16]int{0x10b: 90, 0x20b: 106}[magic]).U32(dirs).Zeros(3*8).U32(0, unwind).Zeros(10*8).U32(at, 72)
	s.Zeros(4 + 20 + 240 - len(s.Build(t)))
	s.Text(".text\x00\x00\x00").U32(0x200, 0x2000, 0x200, 0x140).Zeros(16)
	s.Zeros(0x140 - len(s.Build(t)))
	return s.U32(cliSize).Zeros(12).U32(flags).Zeros(44).U32(native, 0).Zeros(0x140 + 0x200 - 0x140 - 72).Build(t)
}

// An assembly has a CLI header that says so, in 32 and in 64 bits (ECMA-335, II.25.3.3).
func TestCLIHeaders(t *testing.T) {
	const pe32, pe64 = 0x10b, 0x20b
	for _, tt := range []struct {
		name                     string
		magic                    uint16
		dirs, unwind, at         uint32
		cliSize, flags, nativeAt uint32
		want                     bool
	}{
		{name: "32 bits", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0, want: true},
		{name: "64 bits", magic: pe64, dirs: 16, unwind: 0, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0, want: true},
		{name: "as few directories as may be", magic: pe32, dirs: 15, unwind: 0, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0, want: true},
		{name: "one less", magic: pe32, dirs: 14, unwind: 0, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "no CLI header", magic: pe32, dirs: 16, unwind: 0, at: 0, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "unwind rules", magic: pe64, dirs: 16, unwind: 1, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "before the section", magic: pe32, dirs: 16, unwind: 0, at: 0x1fff, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "behind it", magic: pe32, dirs: 16, unwind: 0, at: 0x2200, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "cut off at the end of the section", magic: pe32, dirs: 16, unwind: 0, at: 0x21c0, cliSize: 72, flags: 1, nativeAt: 0},
		{name: "a larger header", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 80, flags: 1, nativeAt: 0, want: true},
		{name: "a smaller one", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 71, flags: 1, nativeAt: 0},
		{name: "other flags, too", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 72, flags: 3, nativeAt: 0, want: true},
		{name: "other flags alone", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 72, flags: 2, nativeAt: 0},
		{name: "compiled before", magic: pe32, dirs: 16, unwind: 0, at: 0x2000, cliSize: 72, flags: 1, nativeAt: 0x3000},
	} {
		head := clr(t, tt.magic, tt.dirs, tt.unwind, tt.at, tt.cliSize, tt.flags, tt.nativeAt)
		if got := isAssembly(head, 4); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	whole := clr(t, pe32, 16, 0, 0x2000, 72, 1, 0)
	for n := range 0x140 + 72 {
		if isAssembly(whole[:n], 4) {
			t.Errorf("%d bytes are an assembly", n)
		}
	}
	if !isAssembly(whole[:0x140+72], 4) || isAssembly(whole, 1<<40) {
		t.Error("an assembly ends with its CLI header, and a COFF header is in its file")
	}
}

// A file with part of a signature, or beside a number's bounds, is none of the kind.
func TestNearMisses(t *testing.T) {
	event := func(size, saved uint32, marker, flags, group uint8) string {
		return string(asm.At(0).U32(size, saved).Zeros(0x40).U16(2).U8(marker, flags).U16(0x100).U8(0, group).Zeros(40).Build(t))
	}
	const fingerprint = "google/panther/panther:14/UQ1A/1:user/release-keys"
	proto := func(number uint64, text string) string {
		return field(2, text) + field(3, "MP1") + field(4, "2026-01-02 03:04:05.678901+0100") + string([]byte{byte(number<<3 | 0), 1})
	}
	for _, tt := range []struct {
		name, head string
		want       Kind
	}{
		{"bzip2 of level 1", "BZh11AY&SY", "bzip2"}, {"of level 0", "BZh01AY&SY", Text}, {"behind level 9", "BZh:1AY&SY", Text},
		{"a block of another magic", "BZh91AY&SX", Text}, {"cut in the magic", "BZh91AY&S", Text},
		{"a trace of the smallest buffer", event(0x48, 0x48, 2, 0xc0, 0), "ETL"}, {"of a smaller one", event(0x47, 0x48, 2, 0xc0, 0), Unknown},
		{"that saved less than its header", event(0x10000, 0x47, 2, 0xc0, 0), Unknown},
		{"that saved all", event(0x10000, 0x10000, 2, 0xc0, 0), "ETL"},
		{"and more", event(0x10000, 0x10001, 2, 0xc0, 0), Unknown},
		{"with the first marker", event(0x10000, 0x48, 1, 0xc0, 0), "ETL"},
		{"with the last", event(0x10000, 0x48, 4, 0xc0, 0), "ETL"}, {"with none", event(0x10000, 0x48, 0, 0xc0, 0), Unknown},
		{"behind the last", event(0x10000, 0x48, 5, 0xc0, 0), Unknown},
		{"Oodle of either byte", "\x8c\x06\x00\x12\x34", "Oodle"}, {"without flags", "\xcc\x06\x00\x12\x34", "Oodle"},
		{"of another byte", "\x9c\x06\x00\x12\x34", Unknown}, {"of another codec", "\x8c\x07\x00\x12\x34", Unknown},
		{"of two bytes", "\x8c\x06", Unknown},
		{"a tombstone of a CPU that there is", "\x08\x05" + proto(5, fingerprint), "Android tombstone (protobuf)"},
		{"of one that there is not", "\x08\x06" + proto(5, fingerprint), Unknown},
		{"without a pid", proto(6, fingerprint), Unknown}, {"with two parts of a path", proto(5, "google/panther:14"), Unknown},
		{"with a name that is no text", proto(5, "a/b/c/\x01\x02\x03\x04"), Unknown},
	} {
		if got := Of([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Texts that have some of what a report has, and not all.
func TestNearTexts(t *testing.T) {
	for text, want := range map[string]Kind{
		stars + "pid: 4711, tid: 4711, name: app\n":                   Tombstone,
		stars + "pid: 4711, name: app\n":                              Text,
		stars + "the pid, tid: 4711\n":                                Text,
		"pid: 4711, tid: 4711, name: app\n" + stars:                   Text, // before the stars
		"Version=1\nEventType=APPCRASH\nEventTime=131666691375272319": "WER report",
		"Version=1\nEventType=APPCRASH\n":                             Text,
		"Version=1\nEventTime=131666691375272319\n":                   Text,
		" \r\n\t{\"traceEvents\":[{\"ph\":\"X\"}]}":                   "Chrome trace",
		`{"nodes":[{"id":1}]}`:                                        Text, // without a callFrame
		`{"ph":"X","pid":1}`:                                          Text, // an event that is in no list
		`[{"crash_info":1}]`:                                          Text, // in a list
		"\"bug_type\" {\n":                                            Text,
		"x{\"procName\":\"x\",\"bundleInfo\":{}}":                     Text,
	} {
		if got := Of([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A program for several CPUs has fewer than 40 of them; Java's classes have a version there.
func TestBoundsOfHeaders(t *testing.T) {
	fat := func(n uint32) []byte { return asm.At(0).BigEndian().U32(0xcafebabe, n, 7, 3).Build(t) }
	if got := Of(fat(40)); got != Unknown {
		t.Errorf("40 CPUs: %s", got)
	}
	dos := []byte("MZ" + strings.Repeat("\x01", 62))
	if got := Of(dos[:63]); got == PE {
		t.Error("63 bytes are a PE file")
	}
	if got := Of(dos); got != PE {
		t.Errorf("a PE header behind what is seen: %s", got)
	}
}

// UTF-16 without a mark is known by zeros in three characters, of eight bytes or more.
func TestUnmarkedUTF16(t *testing.T) {
	const words = "MODULE Linux x86 0 a\n"
	little, big := wide(t, words), string(asm.At(0).BigEndian().UTF16(words).Build(t))
	for _, tt := range []struct {
		name, head string
		want       Kind
	}{
		{"little-endian", little, Breakpad}, {"big-endian", big, Breakpad},
		{"seven bytes", little[:7], Unknown}, {"eight", little[:8], Text}, {"eight, big-endian", big[:8], Text}, {"seven, big-endian", big[:7], Unknown},
		{"the first is no ASCII", "M\x01" + little[2:], Unknown}, {"the second", little[:3] + "\x01" + little[4:], Unknown}, {"the third", little[:5] + "\x01" + little[6:], Unknown},
		{"the first, big-endian", "\x01M" + big[2:], Unknown}, {"the second, big-endian", big[:2] + "\x01" + big[3:], Unknown},
		{"the third, big-endian", big[:4] + "\x01" + big[5:], Unknown},
	} {
		if got := Of([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Of a hundred bytes one may be a control character; of other encodings than UTF-8 two hundred
// bytes count as one more.
func TestOddCharacters(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{name: "one of a hundred", text: strings.Repeat("x", 99) + "\x01", want: true}, {name: "one of ninety-nine", text: strings.Repeat("x", 98) + "\x01"},
		{name: "a delete", text: strings.Repeat("x", 98) + "\x7f"}, {name: "two of two hundred", text: strings.Repeat("x", 198) + "\x01\x02", want: true},
		{name: "in Latin-1", text: "\xfc" + strings.Repeat("x", 197) + "\x01\x02"}, {name: "one in Latin-1", text: "\xfc" + strings.Repeat("x", 198) + "\x01", want: true},
		{name: "a character that is cut off", text: strings.Repeat("x", 197) + "\x01\x02\xc3", want: true}, {name: "nothing", text: "", want: true},
	} {
		if got := plainText([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A log is searched as a whole if its beginning looks like one of Android's.
func TestLikeLog(t *testing.T) {
	for head, want := range map[string]bool{
		"--------- beginning of main\n": true, "01-02 I/google-breakpad( 1): x\n": true, "== dumpstate: 2026-01-02 03:04:05\n": true,
		"beginning of main": false, "== dumpstate\n": false, "": false,
	} {
		if got := LikeLog([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
	for kind, want := range map[Kind]bool{Text: true, Tombstone: true, Microdump: false, Unknown: false, Minidump: false} {
		if got := kind.Text(); got != want {
			t.Errorf("%s may be a log: %v", kind, got)
		}
	}
}
