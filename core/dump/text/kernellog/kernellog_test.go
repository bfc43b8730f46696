package kernellog

import (
	"fmt"
	"testing"

	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/textreport"
)

// Lines state the thread, the event, two registers and a place in a file.
func TestParse(t *testing.T) {
	segv := func(code uint32, address uint64, access process.Access) process.Event {
		return process.Event{Code: 11, Flags: code, Address: address, Access: access}
	}
	for text, want := range map[string]line{
		"knob[29093]: segfault at dead0 ip 00007fb6fc24a0fb sp 00007ffcd3e239e8 error 6 in libdial.so[10fb,7fb6fc24a000+1000] likely on CPU 1 (core 1, socket 0)": {
			0, "knob", 29093, segv(1, 0xdead0, process.Write), 0x7fb6fc24a0fb, 0x7ffcd3e239e8, 16, "libdial.so", 0x10fb, module.InFile, nil, ""},
		"Nov 23 05:09:58 server kernel: [ 5097.700255] orbit[29088]: segfault at 0 ip 00005604a9ebd13d sp 00007fffe8bcb788 " +
			"error 4 in orbit[5604a9ebd000+1000]": {
			46, "orbit", 29088, segv(1, 0, process.Read), 0x5604a9ebd13d, 0x7fffe8bcb788, 16, "orbit", 0x13d, module.InCode, nil, ""},
		"[1.0] a b:c[7]: segfault at 8 ip 0000000000000008 sp 00007ffd1 error 14": {
			6, "a b:c", 7, segv(1, 8, process.Execute), 8, 0x7ffd1, 16, "", 0, module.FromBase, nil, ""},
		"x[1]: segfault at 10 ip 08048123 sp bf001000 error 7 in x (deleted)[123,8048000+1000]": {
			0, "x", 1, segv(2, 0x10, process.Write), 0x8048123, 0xbf001000, 8, "x (deleted)", 0x123, module.InFile, nil, ""},
		"[ 9.1] traps: calc[12] trap divide error ip:55d4c76f913d sp:7ffd2bcb788 error:0 in calc[113d,55d4c76f9000+1000]": {
			14, "calc", 12, process.Event{Code: 8, Flags: 1, Address: 0x55d4c76f913d}, 0x55d4c76f913d, 0x7ffd2bcb788, 12, "calc", 0x113d, module.InFile, nil, ""},
		"traps: calc[12] general protection fault ip:55d4c76f913d sp:7ffd2bcb788 error:0 in calc[55d4c76f9000+1000]": {
			7, "calc", 12, process.Event{Code: 11, Flags: 0x80, NoAddress: true}, 0x55d4c76f913d, 0x7ffd2bcb788, 12, "calc", 0x13d, module.InCode, nil, ""},
	} {
		got, ok := parse(text)
		event := got.event
		wantEvent := want.event
		if !ok || event.Code != wantEvent.Code || event.Flags != wantEvent.Flags || event.Address != wantEvent.Address ||
			event.Access != wantEvent.Access || event.NoAddress != wantEvent.NoAddress {
			t.Errorf("%s\n%+v, %t; want %+v", text, event, ok, wantEvent)
		}
		got.event, want.event = process.Event{}, process.Event{}
		if got.begin != want.begin || got.name != want.name || got.thread != want.thread || got.ip != want.ip || got.sp != want.sp || got.digits != want.digits ||
			got.file != want.file || got.offset != want.offset || got.of != want.of {
			t.Errorf("%s\n%+v; want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "]: segfault at ", "x[1]: segfault at 0 ip 1 sp", "x[a]: segfault at 0 ip 1 sp 2 error 4",
		"a name of more than 15 bytes[1]: segfault at 0 ip 1 sp 2 error 4",
		"traps: x[1] trap of its own ip:1 sp:2 error:0", "x] trap divide error ip:1 sp:2 error:0"} {
		if got, ok := parse(text); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// Faults of other CPUs: the event, the place in a file, and the registers behind the line.
func TestOthers(t *testing.T) {
	for log, want := range map[string]string{
		"Aug 17 16:49:07 host kernel: hook[28134]: unhandled level 1 translation fault (11) at 0x00000018, esr 0x92000045, in libc-2.27.so[7f86370000+140000]\n" +
			"Aug 17 16:49:07 host kernel: pgd = ffffffc0753f9000\nAug 17 16:49:07 host kernel: [00000018] *pgd=0000000000000000\n" +
			"Aug 17 16:49:07 host kernel: PC is at 0x7f863750d0\nAug 17 16:49:07 host kernel: pc : [<0000007f863750d0>] lr : [<0000007f863751a0>] pstate: a0000000\n" +
			"Aug 17 16:49:07 host kernel: sp : 0000007ff8ff5360\nAug 17 16:49:07 host kernel: x1 : 0000000000000007 x0 : 0000000000000009 \nAug 17 16:49:08 host kernel: usb 1-1\n": "" +
			"hook 28134 arm64 signal 11 code 1 at 0x18 write, libc-2.27.so 0x50d0 of 0x7f863750d0",
		"[  9.1] dock[12]: unhandled exception: IABT (lower EL), ESR 0x0000000082000006, level 2 permission fault in dock[1234,aaaad8a90000+20000]\n[  9.1] pc : aaaad8a91234\n": "" +
			"dock 12 arm64 signal 11 code 2 execution, dock 0x1234 of 0xaaaad8a91234",
		"<7>[  615.577828] m.android.phone: unhandled page fault (11) at 0x00000004, code 0x805\n<6>[  615.577909] pc : [<af879602>]    lr : [<b503eaad>]    psr: 400d0030\n": "" +
			"m.android.phone 0 arm signal 11 code 1 at 0x4 write, of 0xaf879602",
		"dock[7]: unhandled level 2 translation fault (11) at 0x18, esr 0x92000006, in dock[aaaad5a40000+1000]\nCPU: 3 PID: 7 Comm: dock\npstate: 80001000 (Nzcv daif)\npc : 0000aaaad5a40754\nlr : 0000aaaad5a40788\n": "" +
			"dock 7 arm64 signal 11 code 1 at 0x18, dock 0x754 of 0xaaaad5a40754",
		"dock[7]: unhandled signal 11 code 0x1 at 0x0000000000000008 in dock[10000+1000]\nepc : 0000000000010123 ra : 0000000000010456 sp : 0000003fffc00\n gp : 0\n": "" +
			"dock 7 riscv64 signal 11 code 1 at 0x8, dock 0x123 of 0x10123",
		"dock[7]: segfault (11) at 8 nip 100005a4 lr 10000590 code 1 in dock[10000000+10000]\nwords\n": "dock 7 ppc64 signal 11 code 1 at 0x8, dock 0x5a4 of 0x100005a4",
		"dock: unhandled words\n": "", "it: a nip 5 of it\n": "", "dock[7]: unhandled signal 11 code 0x1 at 0x8\n": "dock 7 riscv64 signal 11 code 1 at 0x8, of 0x0",
	} {
		got := ""
		for _, p := range textreport.Open(Family, log) {
			e, f := p.Event, p.Threads[0].Frames[0]
			got += fmt.Sprintf("%s %d %s signal %d code %d", p.Threads[0].Name, p.Threads[0].ID, p.Arch.Name, e.Code, e.Flags)
			if !e.NoAddress {
				got += fmt.Sprintf(" at %#x", e.Address)
			}
			got += map[process.Access]string{process.Write: " write", process.Execute: " execution"}[e.Access] + ", "
			for _, m := range p.Modules {
				got += fmt.Sprintf("%s %#x ", m.CodeFile, f.Instruction-m.Base)
			}
			got += fmt.Sprintf("of %#x", f.Instruction)
		}
		if got != want {
			t.Errorf("%s\n%s\nwant\n%s", log, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	textreport.Fuzz(f, Family, "knob[29093]: segfault at dead0 ip 00007fb6fc24a0fb sp 00007ffcd3e239e8 error 6 in libdial.so[10fb,7fb6fc24a000+1000]\nCode: 89 f0 <89> 37 c3\n",
		"traps: calc[12] trap divide error ip:55d4c76f913d sp:7ffd2bcb788 error:0 in calc[113d,55d4c76f9000+1000]\n",
		"hook[28134]: unhandled level 1 translation fault (11) at 0x00000018, esr 0x92000045, in libc-2.27.so[7f86370000+140000]\npc : [<0000007f863750d0>]\n")
}
