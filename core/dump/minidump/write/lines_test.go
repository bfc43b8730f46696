package write

import (
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/expect"
)

// streamText is what a writer makes of a stream.
func streamText(t *testing.T, number minidump.StreamType, write func(w *Writer)) string {
	t.Helper()
	w := New(minidump.Header{})
	write(w)
	data, err := written(t, w).Stream(number)
	expect.Error(t, err, "")
	return string(data)
}

// Files of /proc look as the kernel writes them.
func TestWriteLines(t *testing.T) {
	status := []minidump.KeyValue{{Key: "Name", Value: "app"}, {Key: "Pid", Value: "42"}, {Key: "Odd", Value: " x "}, {Key: "Quoted", Value: `"y"`}, {Key: "Empty", Value: ""}}
	cpus := []minidump.KeyValue{{Key: "processor", Value: "0"}, {Key: "model", Value: "A"}, {Key: "processor", Value: "1"}, {Key: "model", Value: "B"}}
	maps := []process.Mapping{
		{Base: 0x400000, End: 0x40b000, Access: "r-xp", Offset: 0, Device: "08:01", Inode: 131, Name: "/bin/a b"},
		{Base: 0x7fff_0000_0000, End: 0xffff_ffff_ff60_1000, Access: "rw-s", Offset: 0x1_0000_0000, Device: "00:00", Inode: 0, Name: ""},
	}
	limits := []process.Limit{
		{Name: "Max cpu time", Unit: "seconds", Soft: process.Unlimited, Hard: process.Unlimited},
		{Name: "Max open files", Unit: "files", Soft: 1024, Hard: 4096},
		{Name: "Max nice priority", Unit: "", Soft: 0, Hard: process.Unlimited - 1},
		{Name: "A limit with a name that is long", Unit: "x", Soft: process.Unlimited - 2, Hard: process.Unlimited - 1},
	}
	tests := []struct {
		number minidump.StreamType
		write  func(w *Writer)
		lines  []string
		want   any
	}{
		{minidump.LinuxProcStatusStream, func(w *Writer) { w.LinuxProcStatus(status) },
			[]string{"Name:\tapp", "Pid:\t42", "Odd:\t\" x \"", "Quoted:\t\"\"y\"\"", "Empty:\t", ""}, status},
		{minidump.LinuxCPUInfoStream, func(w *Writer) { w.LinuxCPUInfo(cpus) },
			[]string{"processor\t: 0", "model\t: A", "", "processor\t: 1", "model\t: B", ""}, cpus},
		{minidump.LinuxMapsStream, func(w *Writer) { w.LinuxMaps(maps) }, []string{
			"00400000-0040b000 r-xp 00000000 08:01 131                                /bin/a b",
			"7fff00000000-ffffffffff601000 rw-s 100000000 00:00 0 ", ""}, maps},
		{minidump.LinuxLimitsStream, func(w *Writer) { w.Limits(limits) }, []string{
			"Limit                     Soft Limit           Hard Limit           Units     ",
			"Max cpu time              unlimited            unlimited            seconds   ",
			"Max open files            1024                 4096                 files     ",
			"Max nice priority         0                    18446744073709551614            ",
			"A limit with a name that is long  18446744073709551613  18446744073709551614  x         ", ""}, limits},
		{minidump.LinuxCmdLineStream, func(w *Writer) { w.CommandLine([]string{"/bin/app", "", "-x"}) },
			[]string{"/bin/app\x00\x00-x\x00"}, []string{"/bin/app", "", "-x"}},
		{minidump.LinuxEnvironStream, func(w *Writer) { w.Environment([]minidump.KeyValue{{Key: "A", Value: "b=c"}, {Key: "B", Value: ""}}) },
			[]string{"A=b=c\x00B=\x00"}, []minidump.KeyValue{{Key: "A", Value: "b=c"}, {Key: "B", Value: ""}}},
		{minidump.LinuxCmdLineStream, func(w *Writer) { w.CommandLine(nil) }, []string{""}, []string(nil)},
		{minidump.CommentAStream, func(w *Writer) { w.CommentA("grüß") }, []string{"grüß\x00"}, "grüß"},
		{minidump.CommentWStream, func(w *Writer) { w.CommentW("ü") }, []string{"\xfc\x00\x00\x00"}, "ü"},
	}
	for _, tt := range tests {
		t.Run(tt.number.Name(), func(t *testing.T) {
			if got, want := streamText(t, tt.number, tt.write), strings.Join(tt.lines, "\n"); got != want {
				t.Errorf("wrote\n%q, want\n%q", got, want)
			}
			w := New(minidump.Header{})
			tt.write(w)
			f := written(t, w)
			compare(t, tt.number, f, tt.want, f)
		})
	}
}
