package microdump

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// microLines is a whole microdump of an arm process, as messages.
func microLines(t testing.TB) []string {
	context := dump.New().Context(t, dump.ARM, map[string]uint64{"pc": 0x8010, "sp": 0xbe00_0008, "r4": 4})
	stack := asm.At(0xbe00_0000).U32(1, 2, 3, 4, 5, 6).Build(t)
	return []string{
		Begin,
		"V Product:1.2.3",
		"O A arm 08 armv8l brand/device:7.1.1/user/release-keys",
		"P browser",
		"R 0000000B SIGSEGV 00000123",
		"G OpenGL ES 3.0|Qualcomm|Adreno (TM) 330",
		"H 12C00000 FFF73000 00D9 31E89000 975F4000 0C:18 1D:01",
		"S 0 BE000008 BE000000 00000018",
		fmt.Sprintf("S BE000000 %X", stack[:16]),
		fmt.Sprintf("S BE000010 %X", stack[16:]),
		fmt.Sprintf("C %X", context),
		"M 00008000 00000000 00001000 0123456789ABCDEF00112233445566770 app",
		"M 00010000 00002000 00003000 000000000000000000000000000000000 lib with spaces.so (deleted)",
		microEnd,
	}
}

// microLog puts messages into lines of a log.
func microLog(before string, messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(before + m + "\n")
	}
	return b.String()
}

const tag = "08-17 19:45:06.579 F/google-breakpad(  123): "

// An opened is the process of a microdump, and the same as a minidump.
type opened struct {
	*minidump.File
	Process *process.Process
}

func openLog(t *testing.T, log string) (files []opened) {
	t.Helper()
	list, _, err := OpenAll(source([]byte(log)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		files = append(files, opened{converted(t, p), p})
	}
	return files
}

// converted is a process as a minidump.
func converted(t *testing.T, p *process.Process) *minidump.File {
	t.Helper()
	view, err := write.Whole(p)
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(view)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantMicro checks everything that microLines says.
func wantMicro(t *testing.T, f opened) {
	t.Helper()
	sys, err := f.SystemInfo()
	expect.Error(t, err, "")
	if sys.Platform != minidump.PlatformAndroid || sys.Processor != minidump.ProcessorARM || sys.Processors != 8 || sys.CSDVersion != "brand/device:7.1.1/user/release-keys" {
		t.Errorf("system %+v", sys)
	}
	threads, err := f.Threads()
	expect.Error(t, err, "")
	x, err := f.Exception()
	expect.Error(t, err, "")
	if len(threads) != 1 || x.Code != 11 || x.Flags != 0 || x.Address != 0x123 || x.Context != threads[0].Context {
		t.Fatalf("threads %+v, exception %+v", threads, x)
	}
	ctx, err := f.Context(threads[0].Context, sys)
	expect.Error(t, err, "")
	pc, _ := ctx.Regs.Get(cpu.ARM.PC)
	sp, _ := ctx.Regs.Get(cpu.ARM.SP)
	if ctx.Arch != &cpu.ARM || pc != 0x8010 || sp != 0xbe00_0008 || len(ctx.Notes) > 0 {
		t.Errorf("context of %v, pc %#x, sp %#x, %q", ctx.Arch, pc, sp, ctx.Notes)
	}
	m, err := f.Memory()
	expect.Error(t, err, "")
	if v, ok := m.Word(0xbe00_0014, 4); v != 6 || !ok || m.Total() != 24 || threads[0].Stack.Base != 0xbe00_0000 {
		t.Errorf("stack at %#x, %d bytes, last word %d", threads[0].Stack.Base, m.Total(), v)
	}
	mods, err := f.Modules()
	expect.Error(t, err, "")
	if len(mods) != 2 || mods[0].Base != 0x8000 || mods[0].Size != 0x1000 || mods[0].DebugID != "0123456789ABCDEF00112233445566770" ||
		mods[0].DebugFile != "app" || mods[1].CodeFile != "lib with spaces.so" || mods[1].DebugID != "" {
		t.Errorf("modules %+v", mods)
	}
}

func TestMicrodump(t *testing.T) {
	log := microLog("I/other(  1): ", "before") + microLog(tag, microLines(t)...) + microLog("I/other(  1): ", "after")
	files := openLog(t, log)
	if len(files) != 1 {
		t.Fatalf("%d dumps", len(files))
	}
	wantMicro(t, files[0])
	start := int64(strings.Index(log, tag))
	want := Microdump{
		Offset: start, Size: int64(strings.LastIndex(log, "I/other")) - start,
		Logged: "08-17 19:45:06.579 F/google-breakpad(  123)", Product: "Product:1.2.3", ProcessType: "browser",
		Build: "brand/device:7.1.1/user/release-keys", Machine: "armv8l",
		GPU: process.GPU{Version: "OpenGL ES 3.0", Vendor: "Qualcomm", Renderer: "Adreno (TM) 330"}, Signal: "SIGSEGV",
		Space: &FreeSpace{0x12c0_0000, 0xfff7_3000, 0xd9, 0x31e8_9000, 0x975f_4000},
	}
	if got := detail(files[0].Process); !reflect.DeepEqual(*got, want) {
		t.Errorf("have %+v\nwant %+v", *got, want)
	}
}

// utf16File returns a text as PowerShell writes it into a file.
func utf16File(text, mark string, big bool) string {
	s := asm.At(0)
	if big {
		s.BigEndian()
	}
	for _, u := range utf16.Encode([]rune(text)) {
		s.U16(u)
	}
	var t testing.T
	return mark + string(s.Build(&t))
}

// TestLogFormats reads the same microdump out of logs of every kind.
func TestLogFormats(t *testing.T) {
	lines := microLines(t)
	brief := microLog("F/google-breakpad( 3745): ", lines...)
	var long, noisy, process strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&long, "[ 02-23 15:49:14.700  1740: 1739 F/google-breakpad ]\n%s\n\n", l)
		fmt.Fprintf(&noisy, "F/google-breakpad( 3745): %s\nMore words\nI/chatty  ( 1): C was here\n\n", l)
		fmt.Fprintf(&process, "F( 3745) %s  (google-breakpad)\nI(    1) G is a letter  (other)\n", l)
	}
	tests := []struct{ name, log string }{
		{"brief", brief},
		{"time", microLog(tag, lines...)},
		{"threadtime", microLog("02-23 15:49:14.700  1740  1739 F google-breakpad: ", lines...)},
		{"tag", microLog("F/google-breakpad: ", lines...)},
		{"process", process.String()},
		{"long", long.String()},
		{"no log, standard error", microLog("", lines...)},
		{"another log", microLog("Feb 23 15:49:14 host app[7]: ", lines...)},
		{"another log, other lines between", strings.Replace(microLog("Feb 23 15:49:14 host app[7]: ", lines...),
			"Feb 23", "Feb 23 15:49:14 host app[7]::M is the first letter\nFeb 23", 3)},
		{"other lines between", noisy.String()},
		{"Windows line ends", strings.ReplaceAll(brief, "\n", "\r\n")},
		{"adb's line ends", strings.ReplaceAll(brief, "\n", "\r\r\n")},
		{"no line end at the end", strings.TrimSuffix(brief, "\n")},
		{"UTF-8 with a mark", "\xef\xbb\xbf" + brief},
		{"UTF-16", utf16File("Ünï\n"+brief, "\xff\xfe", false)},
		{"UTF-16, big-endian", utf16File(brief, "\xfe\xff", true)},
		{"UTF-16 without a mark", utf16File(brief, "", false)},
		{"UTF-16, big-endian, without a mark", utf16File(brief, "", true)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := openLog(t, tt.log)
			if len(files) != 1 {
				t.Fatalf("%d dumps", len(files))
			}
			wantMicro(t, files[0])
			m := detail(files[0].Process)
			if len(m.Notes) > 0 {
				t.Errorf("notes %v", m.Notes)
			}
			if end := m.Offset + m.Size; m.Offset < 0 || end > int64(len(tt.log)) || end < int64(len(tt.log))-80 {
				t.Errorf("%d bytes at %d of %d", m.Size, m.Offset, len(tt.log))
			}
		})
	}
}

// TestUTF16Offsets finds a defect where it is in the file.
func TestUTF16Offsets(t *testing.T) {
	log := microLog(tag, Begin, "R nonsense", microEnd)
	wide := utf16File(log, "\xff\xfe", false)
	files := openLog(t, wide)
	want := fmt.Sprintf(`microdump at %#x: crash reason: "nonsense" is no number in hex`, 2+2*(len(tag)+len(Begin)+1))
	expect.Error(t, detail(files[0].Process).Notes[0], want)
}

// TestSeveral has microdumps one after the other, and two written at once.
func TestSeveral(t *testing.T) {
	lines := microLines(t)
	both := func(first, second string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(first + l + "\n" + second + strings.Replace(l, "Product:1.2.3", "Other:4", 1) + "\n")
		}
		return b.String()
	}
	log := microLog(tag, lines...) + both("F/google-breakpad( 1): ", "F/google-breakpad( 2): ") +
		both("15:49:14.7  1  1 F google-breakpad: ", "15:49:14.8  2  2 F google-breakpad: ") + microLog("", lines...)
	files := openLog(t, log)
	var got []string
	for _, f := range files {
		wantMicro(t, f)
		m := detail(f.Process)
		got = append(got, fmt.Sprint(m.Logged, "|", m.Product, "|", m.Notes))
	}
	want := []string{
		"08-17 19:45:06.579 F/google-breakpad(  123)|Product:1.2.3|[]",
		"F/google-breakpad( 1)|Product:1.2.3|[]", "F/google-breakpad( 2)|Other:4|[]",
		"15:49:14.7  1  1 F google-breakpad|Product:1.2.3|[]", "15:49:14.8  2  2 F google-breakpad|Other:4|[]", "|Product:1.2.3|[]",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("have %q\nwant %q", got, want)
	}
}

// TestMicroCPUs has the context of each CPU, and finds its stack pointer.
func TestMicroCPUs(t *testing.T) {
	tests := []struct {
		word      string
		processor uint16
		arch      *cpu.Arch
		sp        string
	}{
		{"x86", dump.X86, &cpu.X86, "esp"}, {"x86_64", dump.AMD64, &cpu.AMD64, "rsp"},
		{"arm", dump.ARM, &cpu.ARM, "sp"}, {"arm64", dump.ARM64, &cpu.ARM64, "sp"}, {"arm64", dump.ARM64Old, &cpu.ARM64, "sp"},
		{"mips", dump.MIPS, &cpu.MIPS, "sp"}, {"mips64", dump.MIPS64, &cpu.MIPS64, "sp"},
		{"riscv32", dump.RISCV, &cpu.RISCV, "sp"}, {"riscv64", dump.RISCV64, &cpu.RISCV64, "sp"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %#x", tt.word, tt.processor), func(t *testing.T) {
			context := dump.New().Context(t, tt.processor, map[string]uint64{tt.sp: 0x7000})
			// The writer's line has room for 2047 characters.
			line := fmt.Sprintf("C %X", context)
			line = line[:min(len(line), 2047)]
			f := openLog(t, microLog("", Begin, "O L "+tt.word+" 01 m 6.1 #1", line, "S 00007000 00", microEnd))[0]
			sys, err := f.SystemInfo()
			expect.Error(t, err, "")
			x, _ := f.Exception()
			ctx, err := f.Context(x.Context, sys)
			expect.Error(t, err, "")
			if sp, ok := ctx.Regs.Get(tt.arch.SP); ctx.Arch != tt.arch || sp != 0x7000 || !ok {
				t.Errorf("%v with sp %#x", ctx.Arch, sp)
			}
			if len(detail(f.Process).Notes) > 0 {
				t.Errorf("notes %v", detail(f.Process).Notes)
			}
			if sys.Platform != minidump.PlatformLinux || detail(f.Process).Build != "6.1 #1" {
				t.Errorf("%v %q", sys.Platform, detail(f.Process).Build)
			}
		})
	}
}

// TestMicroStackPieces loses a line of the stack, as logs do.
func TestMicroStackPieces(t *testing.T) {
	f := openLog(t, microLog("", Begin, "S 0 00002004 00001000 00003000", "S 00001000 0102", "S 00002000 0304050607", "S 00002005 08", microEnd))[0]
	m, err := f.Memory()
	expect.Error(t, err, "")
	want := []minidump.Range{{Base: 0x1000, Location: minidump.Location{Size: 2}}, {Base: 0x2000, Location: minidump.Location{Size: 6}}}
	got := m.Ranges()
	for i := range got {
		got[i].RVA = 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ranges %v, want %v", got, want)
	}
	threads, _ := f.Threads()
	if threads[0].Stack.Base != 0x2000 {
		t.Errorf("the stack is at %#x, which does not have the stack pointer", threads[0].Stack.Base)
	}
}

// On mips the kernel has other numbers than its other ports.
func TestMicroSignals(t *testing.T) {
	for line, want := range map[string]uint32{"R 0000000A SIGBUS 0": 7, "R 0000000A SIGUSR1 0": 10, "R 0000000B SIGSEGV 0": 11, "R 00000005 UNKNOWN 0": 5} {
		f := openLog(t, microLog("", Begin, line, microEnd))[0]
		if x, _ := f.Exception(); x.Code != want || detail(f.Process).Signal == "" {
			t.Errorf("%s: signal %d, want %d", line, x.Code, want)
		}
	}
}
