package microdump

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/expect"
)

// microNotes opens a log of untagged messages with one microdump, and returns the relevant notes.
func microNotes(t *testing.T, messages ...string) []string {
	t.Helper()
	files := openLog(t, microLog("", messages...))
	if len(files) != 1 {
		t.Fatalf("%d dumps", len(files))
	}
	var out []string
	for _, n := range detail(files[0].Process).Notes {
		if text := n.Error(); !strings.HasSuffix(text, " missing") {
			out = append(out, strings.TrimPrefix(text, "microdump at "))
		}
	}
	return out
}

// TestMicroDamage has one bad record in each microdump; the offset is that of
// its line.
func TestMicroDamage(t *testing.T) {
	tests := []struct{ record, want string }{
		{"O", `the operating system "" is not known|the CPU "" is not known|number of CPUs: "" is no number in hex`},
		{"O L", `the CPU "" is not known|number of CPUs: "" is no number in hex`},
		{"O Z arm 08 x y", `the operating system "Z" is not known`},
		{"O L vax 08 x y", `the CPU "vax" is not known`},
		{"O L arm eight x y", `number of CPUs: "eight" is no number in hex`},
		{"R", `crash reason: "" is no number in hex`},
		{"R 0B SIGSEGV", `crash reason: "" is no number in hex`},
		{"R 0B SIGSEGV 11112222333344445", `crash reason: "11112222333344445" is no number in hex`},
		{"H 1 2 3 4", `free space: "" is no number in hex`},
		{"S", `stack: "" is no number in hex`},
		{"S 0", `stack: "" is no number in hex`},
		{"S 0 1000 1000 -1", `stack: "-1" is no number in hex`},
		{"S zero 00", `stack: "zero" is no number in hex`},
		{"S 1000 0102x304", `stack: byte 2 is "x3", no number in hex; the rest of the line is left out`},
		{"S 1000 010", `stack: the line ends in half a byte, after 1`},
		{"S 1000", ""},
		{"S 0 00001000 00001000 FFFFFFFFFFFFFFFF", ""}, // no stack at all is said already
		{"C 00112", `the registers cannot be read: 2 bytes are too few to have flags`},
		{"C 0000000G", `registers: byte 3 is "0G", no number in hex; the rest of the line is left out|the registers cannot be read: 3 bytes are too few to have flags`},
		{"C 01020304", `the registers cannot be read: flags 0x4030201 name no known CPU`},
		{"M", `module: "" is no number in hex`},
		{"M 1000 0 x id name", `module: "x" is no number in hex`},
		{"M 1000 0 100000000 0 name", `module name has the impossible size 0x100000000`},
		{"M 1000 0 1000 0123456789ABCDEF0123456789ABCDEF name", `module name: "0123456789ABCDEF0123456789ABCDEF" is no identifier`},
		{"M 1000 0 1000 0123456789ABCDEF0123456789ABCDEFx name", `module name: "0123456789ABCDEF0123456789ABCDEFx" is no identifier`},
		{"M 1000 0 1000 0123456789ABCDEF0123456789ABCDEF123456789 n", `module n: "0123456789ABCDEF0123456789ABCDEF123456789" is no identifier`},
		{"M 1000 0 1000", `module : "" is no identifier`},
		{"V", ""}, {"P", ""}, {"G", ""}, {"G |", ""}, {"G a|b|c|d", ""},
		{"X new record", ""}, // cannot be told from other lines of such a log
	}
	for _, tt := range tests {
		var want []string
		for _, w := range strings.Split(tt.want, "|") {
			if w != "" {
				want = append(want, fmt.Sprintf("%#x: %s", len(Begin)+1, w))
			}
		}
		if got := microNotes(t, Begin, tt.record, microEnd); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nhave %q\nwant %q", tt.record, got, want)
		}
	}
}

// A damaged record costs itself.
func TestMicroDamageIsLocal(t *testing.T) {
	var messages []string
	for _, l := range microLines(t) {
		messages = append(messages, l)
		if l == Begin {
			messages = append(messages, "R x", "H x", "S x 00", "M x", "C 00")
		}
	}
	wantMicro(t, openLog(t, microLog(tag, messages...))[0])
}

// TestMicroStructure has lines that are missing or too many.
func TestMicroStructure(t *testing.T) {
	lines := microLines(t)
	at := func(n int) int { return len(microLog(tag, lines[:n]...)) }
	other := strings.Replace(tag, "123", "456", 1)
	tests := []struct {
		name, log string
		want      [][]string // notes of each
	}{
		{"no end", microLog(tag, lines[:len(lines)-1]...), [][]string{
			{fmt.Sprintf("microdump at %#x: the log ends before this microdump does", at(len(lines)-1))},
		}},
		{"no end, not tagged", microLog("", lines[:len(lines)-1]...), [][]string{
			{fmt.Sprintf("microdump at %#x: the log ends before this microdump does", len(microLog("", lines[:len(lines)-1]...)))},
		}},
		{"begins again", microLog(tag, lines[:len(lines)-1]...) + microLog(tag, lines...), [][]string{
			{fmt.Sprintf("microdump at %#x: another microdump begins before this one has ended", at(len(lines)-1))}, nil,
		}},
		{"begins again, not tagged", microLog("", lines[:len(lines)-1]...) + microLog("", lines...), [][]string{
			{fmt.Sprintf("microdump at %#x: another microdump begins before this one has ended", len(microLog("", lines[:len(lines)-1]...)))}, nil,
		}},
		{"the end of another", microLog(other, lines[8:]...) + microLog(tag, lines...), [][]string{
			{"microdump at 0x0: 5 lines belong to a microdump whose beginning is not in the log"},
		}},
		{"newer records", microLog(tag, lines[:1]...) + microLog(tag, "X a new one", "Y another") + microLog(tag, lines[1:]...), [][]string{
			{fmt.Sprintf(`microdump at %#x: 2 of its lines are not understood, the first is "X a new one"`, at(1))},
		}},
		{"no stack", microLog(tag, append(append([]string{}, lines[:8]...), lines[10:]...)...), [][]string{
			{"microdump at 0x0: the stack is missing"},
		}},
		{"half a stack", microLog(tag, append(append([]string{}, lines[:9]...), lines[10:]...)...), [][]string{
			{fmt.Sprintf("microdump at %#x: the stack has 16 of the 24 bytes that it should have", at(7))},
		}},
		{"no registers", microLog(tag, append(append([]string{}, lines[:10]...), lines[11:]...)...), [][]string{
			{"microdump at 0x0: the registers are missing"},
		}},
		{"nothing", microLog(tag, lines[0], microEnd), [][]string{
			{"microdump at 0x0: the registers are missing", "microdump at 0x0: the stack is missing"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := openLog(t, tt.log)
			var got [][]string
			for _, f := range files {
				var notes []string
				for _, n := range detail(f.Process).Notes {
					notes = append(notes, n.Error())
				}
				got = append(got, notes)
				sound(t, f.File)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("have %q\nwant %q", got, tt.want)
			}
		})
	}
}

// sound checks that the laid out minidump has no defects, because their offsets would not be those
// of the log.
func sound(t *testing.T, f *minidump.File) {
	t.Helper()
	if f.Damage() != nil {
		t.Errorf("directory: %v", f.Damage())
	}
	for _, s := range f.Streams() {
		if _, err := f.Decode(s.Type); err != nil {
			t.Errorf("%s: %v", s.Type.Name(), err)
		}
	}
	x, err := f.Exception()
	if err != nil {
		t.Fatal(err)
	}
	sys, _ := f.SystemInfo()
	if x.Context.Size > 0 {
		if _, err := f.Context(x.Context, sys); err != nil {
			t.Errorf("context: %v", err)
		}
	}
}

// TestMicroLongLines has lines that are longer than real ones.
func TestMicroLongLines(t *testing.T) {
	long := strings.Repeat("A", 1<<20)
	log := microLog("", Begin, "noise "+long, "M 1000 0 1000 "+strings.Repeat("0", 33)+" "+long, "S 1000 "+long, microEnd) + microLog("", microLines(t)...)
	files := openLog(t, log)
	if len(files) != 2 {
		t.Fatalf("%d dumps", len(files))
	}
	wantMicro(t, files[1])
	sound(t, files[0].File)
	first := len(Begin) + 1 + 6 + 1<<20 + 1
	var got []string
	for _, n := range detail(files[0].Process).Notes {
		got = append(got, n.Error())
	}
	second := first + len("M 1000 0 1000 ") + 33 + 1 + 1<<20 + 1
	want := []string{
		fmt.Sprintf("microdump at %#x: a line is longer than 65536 bytes; the rest of it is left out", first),
		fmt.Sprintf("microdump at %#x: 65534 bytes are more than a line of this kind has; the rest of it is left out", first),
		fmt.Sprintf("microdump at %#x: a line is longer than 65536 bytes; the rest of it is left out", second),
		fmt.Sprintf("microdump at %#x: stack: the line ends in half a byte, after 32764", second),
		"microdump at 0x0: the registers are missing",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("have %q\nwant %q", got, want)
	}
}

// TestMicroLimits has more of everything than is kept.
func TestMicroLimits(t *testing.T) {
	t.Run("microdumps", func(t *testing.T) {
		files := openLog(t, strings.Repeat(microLog(tag, Begin, "V x", microEnd), maxMicrodumps+7))
		notes := detail(files[len(files)-1].Process).Notes
		if want := "7 more microdumps are left out"; len(files) != maxMicrodumps || !strings.Contains(notes[0].Error(), want) {
			t.Errorf("%d dumps, the last one says %v", len(files), notes)
		}
	})
	t.Run("microdumps by as many writers", func(t *testing.T) {
		var log strings.Builder
		for i := range 3000 {
			log.WriteString(microLog(fmt.Sprintf("F/google-breakpad(%5d): ", i), Begin, "V x"))
		}
		files := openLog(t, log.String())
		if notes := detail(files[0].Process).Notes; len(files) != maxMicrodumps || len(notes) != 3 { // no end, no registers, no stack
			t.Errorf("%d dumps, notes %v", len(files), notes)
		}
	})
	t.Run("notes", func(t *testing.T) {
		notes := detail(openLog(t, microLog("", Begin, strings.Repeat("R x\n", 1000), microEnd))[0].Process).Notes
		last := notes[len(notes)-1].Error()
		if len(notes) != maxMicroNotes+1 || last != "microdump at 0x0: 938 more defects are left out" {
			t.Errorf("%d notes, the last one %s", len(notes), last)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		line := "M 1 0 1 " + strings.Repeat("0", 33) + " a\n"
		log := microLog("", Begin) + strings.Repeat(line, 200_000) + microLog("", microEnd)
		files := openLog(t, log)
		sound(t, files[0].File)
		mods, _ := files[0].Modules()
		kept := maxMicroBytes / (len(line) - 1 + lineCost)
		if len(mods) != kept {
			t.Errorf("%d modules, want %d", len(mods), kept)
		}
		want := fmt.Sprintf("microdump at %#x: the microdumps of this log have more than 16777216 bytes; the rest is left out", len(Begin)+1+kept*len(line))
		if notes := detail(files[0].Process).Notes; len(notes) != 3 || notes[0].Error() != want {
			t.Errorf("notes %v, want %s", notes, want)
		}
	})
}

// breaking is a file that breaks off in the middle.
type breaking struct{ data string }

func (f breaking) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(f.data)) {
		return 0, errors.New("the disk is gone")
	}
	return copy(p, f.data[off:]), nil
}

func TestLogReadFails(t *testing.T) {
	log := microLog("", microLines(t)[:4]...)
	files, _, err := OpenAll(bin.NewSource(breaking{strings.Repeat("x\n", 5000) + log}, 1<<20))
	expect.Error(t, err, "")
	if got, want := detail(files[0]).Notes[0].Error(), fmt.Sprintf("microdump at %#x: reading failed: the disk is gone", 10000+len(log)); got != want {
		t.Errorf("have %s\nwant %s", got, want)
	}
	_, _, err = OpenAll(bin.NewSource(breaking{strings.Repeat("x\n", 5000)}, 1<<20))
	expect.Error(t, err, "microdump: log at 0x2710: reading failed: the disk is gone")
}

// TestLogIsNotHeld reads a log that is much longer than what is kept of it.
func TestLogIsNotHeld(t *testing.T) {
	log := []byte(strings.Repeat("08-17 19:45:06.579 I/other(  123): words, words, words\n", 1<<20/2) + microLog(tag, microLines(t)...))
	var files []*process.Process
	used := expect.Allocated(func() { files, _, _ = OpenAll(source(log)) })
	if len(files) != 1 || used > 4<<20 {
		t.Errorf("%d dumps, %d bytes allocated for a log of %d", len(files), used, len(log))
	}
	runtime.KeepAlive(log)
}

// FuzzMicrodump reads any log.
func FuzzMicrodump(f *testing.F) {
	whole := microLog(tag, microLines(f)...)
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)/2] + whole))
	f.Add([]byte(microLog("", microLines(f)...)))
	f.Add([]byte(utf16File(whole, "\xff\xfe", false)))
	f.Fuzz(func(t *testing.T, log []byte) {
		var files []*process.Process
		used := expect.Allocated(func() { files, _, _ = OpenAll(source(log)) })
		// Each microdump has a page cache, and the reader a line.
		if most := uint64(512<<10 + 200*len(log)); used > most {
			t.Errorf("%d bytes allocated for a log of %d", used, len(log))
		}
		for _, file := range files {
			m := detail(file)
			sound(t, converted(t, file))
			if m.Offset < 0 || m.Size < 0 || m.Offset+m.Size > int64(len(log)) {
				t.Errorf("%d bytes at %d of a log of %d", m.Size, m.Offset, len(log))
			}
			for _, n := range m.Notes {
				var at *bin.Error
				if !errors.As(n, &at) || at.Off < 0 || at.Off > int64(len(log)) || strings.Contains(n.Error(), "\n") {
					t.Errorf("note %q", n)
				}
			}
		}
	})
}
