package minidump

import (
	"reflect"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func textDump(t *testing.T, kind StreamType, text string) *File {
	return build(t, dump.New().Stream(uint32(kind), asm.At(0).Text(text)))
}

func TestLinuxMaps(t *testing.T) {
	text := "00400000-0040b000 r-xp 00001000 08:01 131      /bin/my app \n" +
		"7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0 \n" +
		"\n" +
		"not a mapping at all, and it is rather a long line\n" +
		"ffffffffff600000-ffffffffff601000 --xs 00000000 00:00 0                  [vsyscall]\n" +
		"7f00-7f"
	maps, err := textDump(t, LinuxMapsStream, text).LinuxMaps()
	expect.Error(t, err, `minidump: linux maps at 0x9a: line "not a mapping at all, and it is rather a…" is not a mapping; and 1 more defect`)
	want := []process.Mapping{
		{Base: 0x400000, End: 0x40b000, Access: "r-xp", Offset: 0x1000, Device: "08:01", Inode: 131, Name: "/bin/my app "},
		{Base: 0x7ffe_0000_0000, End: 0x7ffe_0002_1000, Access: "rw-p", Device: "00:00"},
		{Base: 0xffff_ffff_ff60_0000, End: 0xffff_ffff_ff60_1000, Access: "--xs", Device: "00:00", Name: "[vsyscall]"},
	}
	if !reflect.DeepEqual(maps, want) {
		t.Errorf("have %+v\nwant %+v", maps, want)
	}
}

func TestKeyValues(t *testing.T) {
	f := textDump(t, LinuxCPUInfoStream, "processor\t: 0\nmicrocode : 0x2b\n\nno separator\nflags\t:\n")
	kvs, err := f.LinuxCPUInfo()
	want := []KeyValue{{"processor", "0"}, {"microcode", "0x2b"}, {"flags", ""}}
	if err != nil || !reflect.DeepEqual(kvs, want) {
		t.Errorf("%q, %v", kvs, err)
	}
	kvs, err = textDump(t, LinuxProcStatusStream, "Name:\ta.out\nPid:\t42\n").LinuxProcStatus()
	if err != nil || !reflect.DeepEqual(kvs, []KeyValue{{"Name", "a.out"}, {"Pid", "42"}}) {
		t.Errorf("%q, %v", kvs, err)
	}
	if n := len(KeyValues(strings.Repeat(":\n", maxLines+5), ":")); n != maxLines {
		t.Errorf("%d lines", n)
	}
}

func TestLSBRelease(t *testing.T) {
	tests := []struct{ text, want string }{
		{"DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=14.04\nDISTRIB_CODENAME=trusty\nDISTRIB_DESCRIPTION=\"Ubuntu 14.04 LTS\"\n", "Ubuntu,14.04,trusty,Ubuntu 14.04 LTS"},
		{"PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n", "debian,12,bookworm,Debian GNU/Linux 12 (bookworm)"},
		{"nonsense", ",,,"},
	}
	for _, tt := range tests {
		lsb, err := textDump(t, LinuxLSBReleaseStream, tt.text).LSBRelease()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join([]string{lsb.ID, lsb.Release, lsb.Codename, lsb.Description}, ","); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	lsb, err := build(t, dump.New()).LSBRelease()
	expect.Error(t, err, "minidump: linux lsb release: no such stream")
	if lsb != nil {
		t.Errorf("absent, and yet %+v", lsb)
	}
	lsb, err = build(t, dump.New().Entry(0x47670005, 9, 0x1000)).LSBRelease()
	expect.Error(t, err, "minidump: linux lsb release at 0x1000: lies beyond the end of the file at 0x2c")
	if lsb == nil {
		t.Error("damaged, and nil")
	}
}

func TestCommandLineAndEnvironment(t *testing.T) {
	args, err := textDump(t, LinuxCmdLineStream, "/bin/app\x00--flag\x00\x00last\x00").CommandLine()
	if err != nil || !reflect.DeepEqual(args, []string{"/bin/app", "--flag", "", "last"}) {
		t.Errorf("%q, %v", args, err)
	}
	args, err = textDump(t, LinuxCmdLineStream, "\xff\xfe\x00").CommandLine()
	if err != nil || !reflect.DeepEqual(args, []string{"\ufffd"}) {
		t.Errorf("%q, %v", args, err)
	}
	env, err := textDump(t, LinuxEnvironStream, "HOME=/root\x00EMPTY=\x00A=b=c\x00odd\x00").Environment()
	if err != nil || !reflect.DeepEqual(env, []KeyValue{{"HOME", "/root"}, {"EMPTY", ""}, {"A", "b=c"}, {"odd", ""}}) {
		t.Errorf("%q, %v", env, err)
	}
	if args, err = textDump(t, LinuxCmdLineStream, "").CommandLine(); err != nil || args != nil {
		t.Errorf("empty: %q, %v", args, err)
	}
}

func TestLimits(t *testing.T) {
	text := "Limit                     Soft Limit           Hard Limit           Units     \n" +
		"Max cpu time              unlimited            unlimited            seconds   \n" +
		"Max open files            1024                 1048576              files     \n" +
		"Max nice priority         0                    0                    \n" +
		"garbage\n"
	limits, err := textDump(t, LinuxLimitsStream, text).Limits()
	want := []process.Limit{
		{Name: "Max cpu time", Unit: "seconds", Soft: process.Unlimited, Hard: process.Unlimited},
		{Name: "Max open files", Unit: "files", Soft: 1024, Hard: 1048576},
		{Name: "Max nice priority", Unit: "", Soft: 0, Hard: 0},
	}
	if err != nil || !reflect.DeepEqual(limits, want) {
		t.Errorf("%+v, %v", limits, err)
	}
}

func TestAuxv(t *testing.T) {
	for _, processor := range []uint16{dump.AMD64, dump.PPC} {
		b := dump.New()
		word := 8
		if processor == dump.PPC {
			b, word = b.BigEndian(), 4
		}
		s := b.Section().Word(word, 6, 4096, 33, 0x7000, 99, 1, 0, 0, 7, 7)
		aux, err := build(t, b.System(processor, dump.Linux, "").Stream(0x47670008, s)).Auxv()
		if err != nil || !reflect.DeepEqual(aux, []AuxValue{{Type: 6, Value: 4096}, {Type: 33, Value: 0x7000}, {Type: 99, Value: 1}}) {
			t.Fatalf("%v, %v", aux, err)
		}
		if aux[0].Name() != "AT_PAGESZ" || aux[1].Name() != "AT_SYSINFO_EHDR" || aux[2].Name() != "AT_99" {
			t.Errorf("names %s %s %s", aux[0].Name(), aux[1].Name(), aux[2].Name())
		}
	}
}

func TestDSODebug(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	links := b.Extra(asm.At(0).U64(0x1000).Ref32(b.Text("/lib/a.so")).U32(0).U64(0x2000).
		U64(0x3000).U32(0xffff_0000, 0).U64(0x4000))
	s := asm.At(0).U32(1).Ref32(links).U32(2, 0).U64(5, 6, 7)
	d, err := build(t, b.Stream(0x4767000a, s)).DSODebug()
	expect.Error(t, err, "minidump: string at 0xffff0000: 4 bytes reach beyond the end of the file at 0xe8")
	want := DSODebug{Version: 1, Break: 5, Base: 6, Dynamic: 7, Links: []LinkMap{{0x1000, "/lib/a.so", 0x2000}, {0x3000, "", 0x4000}}}
	if !reflect.DeepEqual(*d, want) {
		t.Errorf("%+v", d)
	}

	b = dump.New().System(dump.ARM, dump.Linux, "")
	links = b.Extra(asm.At(0).U32(0x1000).Ref32(b.Text("/lib/b.so")).U32(0x2000))
	s = asm.At(0).U32(1).Ref32(links).U32(0xffff_ffff, 5, 6, 7)
	d, err = build(t, b.Stream(0x4767000a, s)).DSODebug()
	if err == nil || !strings.HasPrefix(err.Error(), "minidump: linux dso debug at 0x") || !strings.Contains(err.Error(), ": count 4294967295 of libraries exceeds the file") {
		t.Errorf("count is a lie: %v", err)
	}
	if d.Break != 5 || len(d.Links) == 0 || d.Links[0] != (LinkMap{0x1000, "/lib/b.so", 0x2000}) {
		t.Errorf("%+v", d)
	}
}
