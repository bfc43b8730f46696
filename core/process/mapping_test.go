package process

import "testing"

// Lines of /proc/PID/maps that the kernel writes, and such as others do. Source:
// proc_pid_maps(5).
func TestMappingLines(t *testing.T) {
	for line, want := range map[string]Mapping{
		"00400000-0040b000 r-xp 00001000 08:01 131 /bin/cat":                          {Base: 0x40_0000, End: 0x40_b000, Access: "r-xp", Offset: 0x1000, Device: "08:01", Inode: 131, Name: "/bin/cat"},
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]": {Base: 0xffff_ffff_ff60_0000, End: 0xffff_ffff_ff60_1000, Access: "--xp", Offset: 0, Device: "00:00", Inode: 0, Name: "[vsyscall]"},
		"1-2 rw- 0 00:00 0":                       {Base: 1, End: 2, Access: "rw-", Offset: 0, Device: "00:00", Inode: 0, Name: ""}, // LLDB leaves the fourth letter out
		"1-2 rw-p 0 00:00 0 ":                     {Base: 1, End: 2, Access: "rw-p", Offset: 0, Device: "00:00", Inode: 0, Name: ""},
		"1-2 rw-p 0 00:00 0 a b  c ":              {Base: 1, End: 2, Access: "rw-p", Offset: 0, Device: "00:00", Inode: 0, Name: "a b  c "},
		"1-2 rw-s 0 00:05 7 /SYSV0000 (deleted)":  {Base: 1, End: 2, Access: "rw-s", Offset: 0, Device: "00:05", Inode: 7, Name: "/SYSV0000 (deleted)"},
		"1-2 rw-p 0 fe:00 18446744073709551615 /": {Base: 1, End: 2, Access: "rw-p", Offset: 0, Device: "fe:00", Inode: 1<<64 - 1, Name: "/"},
		"1-2 rw-p 0 00:00 0 \xff":                 {Base: 1, End: 2, Access: "rw-p", Offset: 0, Device: "00:00", Inode: 0, Name: "\ufffd"},
	} {
		if got, ok := ParseMapping(line); !ok || got != want {
			t.Errorf("%q is %+v, %t; want %+v", line, got, ok, want)
		}
	}
	for _, line := range []string{"1 rw-p 0 00:00 0", "-2 rw-p 0 00:00 0", "1- rw-p 0 00:00 0", "1-2 rw 0 00:00 0", "1-2 rw-p 0 00:00 -1", "1-2 rw-p -1 00:00 0"} {
		if got, ok := ParseMapping(line); ok {
			t.Errorf("%q is %+v", line, got)
		}
	}
}

func TestParseMapping(t *testing.T) {
	for _, line := range []string{"", "-", "1-2", "1-2 r", "1-2 rwxp x 00:00 0", "1-2 rwxp 0 00:00 z", "g-2 rwxp 0 00:00 0", "1-2 rwxp 0 00:00",
		"10000000000000000-2 rwxp 0 00:00 0"} {
		if m, ok := ParseMapping(line); ok {
			t.Errorf("%q is %+v", line, m)
		}
	}
}
