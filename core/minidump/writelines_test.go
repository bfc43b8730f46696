package minidump

import (
	"strings"
	"testing"

	"crashglass/core/testkit/expect"
)

// streamText is what a writer makes of a stream.
func streamText(t *testing.T, number StreamType, write func(w *Writer)) string {
	t.Helper()
	w := NewWriter(Header{})
	write(w)
	data, err := written(t, w).Stream(number)
	expect.Error(t, err, "")
	return string(data)
}

// Files of /proc look as the kernel writes them.
func TestWriteLines(t *testing.T) {
	status := []KeyValue{{"Name", "app"}, {"Pid", "42"}, {"Odd", " x "}, {"Quoted", `"y"`}, {"Empty", ""}}
	cpus := []KeyValue{{"processor", "0"}, {"model", "A"}, {"processor", "1"}, {"model", "B"}}
	maps := []Mapping{
		{0x400000, 0x40b000, "r-xp", 0, "08:01", 131, "/bin/a b"},
		{0x7fff_0000_0000, 0xffff_ffff_ff60_1000, "rw-s", 0x1_0000_0000, "00:00", 0, ""},
	}
	limits := []Limit{
		{"Max cpu time", "seconds", Unlimited, Unlimited},
		{"Max open files", "files", 1024, 4096},
		{"Max nice priority", "", 0, Unlimited - 1},
		{"A limit with a name that is long", "x", Unlimited - 2, Unlimited - 1},
	}
	tests := []struct {
		number StreamType
		write  func(w *Writer)
		lines  []string
		want   any
	}{
		{LinuxProcStatusStream, func(w *Writer) { w.LinuxProcStatus(status) },
			[]string{"Name:\tapp", "Pid:\t42", "Odd:\t\" x \"", "Quoted:\t\"\"y\"\"", "Empty:\t", ""}, status},
		{LinuxCPUInfoStream, func(w *Writer) { w.LinuxCPUInfo(cpus) },
			[]string{"processor\t: 0", "model\t: A", "", "processor\t: 1", "model\t: B", ""}, cpus},
		{LinuxMapsStream, func(w *Writer) { w.LinuxMaps(maps) }, []string{
			"00400000-0040b000 r-xp 00000000 08:01 131                                /bin/a b",
			"7fff00000000-ffffffffff601000 rw-s 100000000 00:00 0 ", ""}, maps},
		{LinuxLimitsStream, func(w *Writer) { w.Limits(limits) }, []string{
			"Limit                     Soft Limit           Hard Limit           Units     ",
			"Max cpu time              unlimited            unlimited            seconds   ",
			"Max open files            1024                 4096                 files     ",
			"Max nice priority         0                    18446744073709551614            ",
			"A limit with a name that is long  18446744073709551613  18446744073709551614  x         ", ""}, limits},
		{LinuxCmdLineStream, func(w *Writer) { w.CommandLine([]string{"/bin/app", "", "-x"}) },
			[]string{"/bin/app\x00\x00-x\x00"}, []string{"/bin/app", "", "-x"}},
		{LinuxEnvironStream, func(w *Writer) { w.Environment([]KeyValue{{"A", "b=c"}, {"B", ""}}) },
			[]string{"A=b=c\x00B=\x00"}, []KeyValue{{"A", "b=c"}, {"B", ""}}},
		{LinuxCmdLineStream, func(w *Writer) { w.CommandLine(nil) }, []string{""}, []string(nil)},
		{CommentAStream, func(w *Writer) { w.CommentA("grüß") }, []string{"grüß\x00"}, "grüß"},
		{CommentWStream, func(w *Writer) { w.CommentW("ü") }, []string{"\xfc\x00\x00\x00"}, "ü"},
	}
	for _, tt := range tests {
		t.Run(tt.number.Name(), func(t *testing.T) {
			if got, want := streamText(t, tt.number, tt.write), strings.Join(tt.lines, "\n"); got != want {
				t.Errorf("wrote\n%q, want\n%q", got, want)
			}
			w := NewWriter(Header{})
			tt.write(w)
			f := written(t, w)
			compare(t, tt.number, f, tt.want, f)
		})
	}
}
