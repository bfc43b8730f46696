package kernellog

import (
	"testing"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// Lines state the thread, the event, two registers and a place in a file.
func TestParse(t *testing.T) {
	segv := func(code uint32, address uint64, access process.Access) process.Event {
		return process.Event{Code: 11, Flags: code, Address: address, Access: access}
	}
	for text, want := range map[string]line{
		"knob[29093]: segfault at dead0 ip 00007fb6fc24a0fb sp 00007ffcd3e239e8 error 6 in libdial.so[10fb,7fb6fc24a000+1000] likely on CPU 1 (core 1, socket 0)": {
			0, "knob", 29093, segv(1, 0xdead0, process.Write), 0x7fb6fc24a0fb, 0x7ffcd3e239e8, 16, "libdial.so", 0x10fb, module.InFile},
		"Nov 23 05:09:58 server kernel: [ 5097.700255] orbit[29088]: segfault at 0 ip 00005604a9ebd13d sp 00007fffe8bcb788 " +
			"error 4 in orbit[5604a9ebd000+1000]": {
			46, "orbit", 29088, segv(1, 0, process.Read), 0x5604a9ebd13d, 0x7fffe8bcb788, 16, "orbit", 0x13d, module.InCode},
		"[1.0] a b:c[7]: segfault at 8 ip 0000000000000008 sp 00007ffd1 error 14": {
			6, "a b:c", 7, segv(1, 8, process.Execute), 8, 0x7ffd1, 16, "", 0, module.FromBase},
		"x[1]: segfault at 10 ip 08048123 sp bf001000 error 7 in x (deleted)[123,8048000+1000]": {
			0, "x", 1, segv(2, 0x10, process.Write), 0x8048123, 0xbf001000, 8, "x (deleted)", 0x123, module.InFile},
		"[ 9.1] traps: calc[12] trap divide error ip:55d4c76f913d sp:7ffd2bcb788 error:0 in calc[113d,55d4c76f9000+1000]": {
			14, "calc", 12, process.Event{Code: 8, Flags: 1, Address: 0x55d4c76f913d}, 0x55d4c76f913d, 0x7ffd2bcb788, 12, "calc", 0x113d, module.InFile},
		"traps: calc[12] general protection fault ip:55d4c76f913d sp:7ffd2bcb788 error:0 in calc[55d4c76f9000+1000]": {
			7, "calc", 12, process.Event{Code: 11, Flags: 0x80, NoAddress: true}, 0x55d4c76f913d, 0x7ffd2bcb788, 12, "calc", 0x13d, module.InCode},
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
