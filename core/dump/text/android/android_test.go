package android

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const example = `03-02 10:11:12.345  4400  4400 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
03-02 10:11:12.345  4400  4400 F DEBUG   : Build fingerprint: 'google/oriole:14/UP1A/1:user/release-keys'
03-02 10:11:12.345  4400  4400 F DEBUG   : ABI: 'arm64'
03-02 10:11:12.345  4400  4400 F DEBUG   : pid: 4242, tid: 4301, name: GLThread 33  >>> com.example.game <<<
03-02 10:11:12.345  1203  1622 W other   : pid: 1, tid: 1, name: x  >>> y <<<
03-02 10:11:12.346  4400  4400 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
03-02 10:11:12.346  4400  4400 F DEBUG   : Abort message: 'it's over'
03-02 10:11:12.346  4400  4400 F DEBUG   :     x0  0000007a2c1fe8e0  x1  0000000000001111
03-02 10:11:12.347  4400  4400 F DEBUG   :     lr  0000007a3f40450c  sp  0000007a2c1fe8a0  pc  0000007a3f4044d4
03-02 10:11:12.348  4400  4400 F DEBUG   : backtrace:
03-02 10:11:12.348  4400  4400 F DEBUG   :       #00 pc 00000000000044d4  /data/app/base.apk!libengine.so (offset 0x1000) (engine::f(int) const+8) (BuildId: 85c4d31c)
03-02 10:11:12.348  4400  4400 F DEBUG   :       #01 pc 0000000000004508  /data/app/base.apk!libengine.so (offset 0x1000) (BuildId: 85c4d31c)
03-02 10:11:12.348  4400  4400 F DEBUG   :       #02 pc 00000000002f9a10  /system/framework/boot.oat (java.lang.Thread.run+156)
03-02 10:11:12.348  4400  4400 F DEBUG   : --- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
03-02 10:11:12.348  4400  4400 F DEBUG   : pid: 4242, tid: 4242, name: main  >>> com.example.game <<<
03-02 10:11:12.348  4400  4400 F DEBUG   :       #00 pc 00000000000a9d18  /system/lib64/libc.so (__epoll_pwait+8)
`

func TestTombstone(t *testing.T) {
	all := textreport.Open(Family, example)
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Subject != 0 || all[0].Arch != &cpu.ARM64 || *all[0].PID != 4242 {
		t.Fatalf("%+v", all)
	}
	p := all[0]
	if e := p.Event; e.Code != 6 || e.Flags != ^uint32(0) || !e.NoAddress || p.Message != "it's over" || p.Lacks.Has(process.SignalCode) {
		t.Errorf("%+v, %q", e, p.Message)
	}
	th := p.Threads[0]
	if th.ID != 4301 || th.Name != "GLThread 33" || th.Registers.Regs.Value(cpu.ARM64.PC) != 0x7a3f4044d4 || len(th.Frames) != 3 {
		t.Fatalf("%+v", th)
	}
	for i, w := range []struct {
		at               uint64
		module, function string
		offset           uint64
		place            process.Place
	}{{0x7a3f4044d4, "libengine.so", "engine::f(int) const", 8, process.Absolute}, {0x7a3f404508, "libengine.so", "", 0, process.Absolute}, {0, "boot.oat", "java.lang.Thread.run", 156, process.Unplaced}} {
		f := th.Frames[i]
		if n := f.Stated; f.Instruction != w.at || n.Module != w.module || n.Function != w.function || n.Offset != w.offset || n.Place != w.place {
			t.Errorf("frame %d: %#x %+v, want %+v", i, f.Instruction, n, w)
		}
	}
	if m := p.Modules; len(m) != 2 || m[0].Base != 0x7a3f400000 || m[0].CodeID != "85c4d31c" || !m[1].Floating {
		t.Errorf("%+v", m)
	}
}

// A tombstone whose first lines are missing has the CPU by its registers.
func TestWithoutHead(t *testing.T) {
	_, cut, _ := strings.Cut(example, "'arm64'\n")
	all := textreport.Open(Family, cut)
	if len(all) != 1 || len(all[0].Threads) != 2 || all[0].Arch != &cpu.ARM64 || *all[0].PID != 4242 || all[0].Threads[0].ID != 4301 || all[0].Event.Code != 6 {
		t.Errorf("%+v", all)
	}
	if all := textreport.Open(Family, "pid: 1  >>> y <<<\n#00 pc 1 /a.so\npid: 4, tid: 4, name: b  >>> c <<<\n"+strings.Repeat("x\n", maxHead+1)+"#00 pc 1 /a.so\n"); len(all) > 0 {
		t.Errorf("%+v", all[0])
	}
}

// Memory and maps are between the first thread and the others.
func TestLongFirstThread(t *testing.T) {
	log := begin + "\nABI: 'arm64'\npid: 4, tid: 4, name: a  >>> b <<<\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\nbacktrace:\n  #00 pc 1 /a.so\n" +
		strings.Repeat("    0000 0001\n", 2*maxHead) + other + "\npid: 4, tid: 5, name: c  >>> b <<<\nbacktrace:\n  #00 pc 2 /a.so\n"
	if all := textreport.Open(Family, log); len(all) != 1 || len(all[0].Threads) != 2 || all[0].Threads[1].ID != 5 {
		t.Errorf("%+v", all)
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, example) }
