package remote

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// crashed is a process of a CPU with two threads, of which the second crashed, and a stack. Each register has its index as its value.
func crashed(arch *cpu.Arch, big bool) *process.Process {
	p := &process.Process{Arch: arch, BigEndian: big, System: &process.System{OS: process.Linux}, Subject: 1}
	for i := range 2 {
		var regs cpu.Regs
		for r := range arch.Regs {
			regs.Set(cpu.Reg(r), uint64(0x100*(i+1)+r))
		}
		p.Threads = append(p.Threads, process.Thread{ID: 0xc8 >> (4 * i), Name: "name", Registers: &process.Registers{Arch: arch, Regs: regs}})
	}
	p.SetModules([]module.Module{{Base: 0x40_0000, Size: 0x1000, CodeFile: "/opt/demo"}})
	text := "the stack#}"
	p.Memory = process.NewMemory(process.NewPager(bin.NewSource(strings.NewReader(text), int64(len(text)))), big,
		[]process.Range{{Base: 0x1000, Location: process.Location{Size: uint64(len(text))}}}, func(error) {})
	return p
}

// A debugger is the other end of a session.
type debugger struct {
	t     *testing.T
	conn  net.Conn
	in    *bufio.Reader
	ended chan error
}

func connect(t *testing.T, p *process.Process) *debugger {
	here, there := net.Pipe()
	d := &debugger{t, here, bufio.NewReader(here), make(chan error, 1)}
	code := func(addr uint64, p []byte) int {
		if addr != 0x40_0000 {
			return 0
		}
		return copy(p, "code")
	}
	open := func(path string) (io.ReaderAt, int64) {
		if path != "/opt/demo" {
			return nil, 0
		}
		return strings.NewReader("a program$"), 10
	}
	go func() {
		err := Serve(there, Target{Process: p, Signal: 11, Auxiliary: []byte{1, '}', 3}, Code: code, Open: open})
		there.Close()
		d.ended <- err
	}()
	t.Cleanup(func() { here.Close() })
	return d
}

// ask sends a packet and returns the answer, which it acknowledges.
func (d *debugger) ask(packet string) string {
	d.t.Helper()
	if _, err := fmt.Fprintf(d.conn, "$%s#%02x", packet, sum(packet)); err != nil {
		d.t.Fatal(packet, err)
	}
	return d.answer()
}

func (d *debugger) answer() string {
	d.t.Helper()
	text, err := d.in.ReadString('#')
	if err != nil {
		d.t.Fatal(err)
	}
	var check [2]byte
	if _, err := io.ReadFull(d.in, check[:]); err != nil {
		d.t.Fatal(err)
	}
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "+"), "$"), "#")
	if string(check[:]) != fmt.Sprintf("%02x", sum(text)) {
		d.t.Errorf("checksum %s of %q", check, text)
	}
	return text
}

// Every request that a debugger sends of itself, and those that a dump refuses.
func TestRequests(t *testing.T) {
	d := connect(t, crashed(&cpu.AMD64, false))
	for _, tt := range []struct{ packet, want string }{
		{"qSupported:xmlRegisters=i386", "PacketSize=2000;QStartNoAckMode+;qXfer:features:read+;qXfer:auxv:read+;qXfer:exec-file:read+"},
		{"?", "T0bthread:c;"}, {"qC", "QCc"}, {"qAttached", "1"}, {"qfThreadInfo", "mc,c8"}, {"qsThreadInfo", "l"},
		{"Tc8", "OK"}, {"T79", "E01"}, {"qThreadExtraInfo,c8", hex.EncodeToString([]byte("name"))}, {"qThreadExtraInfo,79", "E01"},
		{"p0", "0002000000000000"}, {"p10", "1002000000000000"}, {"p11", "11020000"}, {"p12", "xxxxxxxx"}, {"pff", "E01"},
		{"Hgc8", "OK"}, {"p0", "0001000000000000"}, {"Hcc", "OK"}, {"p0", "0001000000000000"}, {"Hg0", "OK"}, {"Hg79", "E01"}, {"H", "E01"},
		{"p0", "0002000000000000"},
		{"m1004,5", hex.EncodeToString([]byte("stack"))}, {"m1004,500", hex.EncodeToString([]byte("stack#}"))}, {"m400000,4", hex.EncodeToString([]byte("code"))},
		{"m2000,4", "E01"}, {"m1000,0", ""}, {"mx,4", "E01"},
		{"qXfer:auxv:read::0,100", "l\x01}]\x03"}, {"qXfer:auxv:read::0,1", "m\x01"}, {"qXfer:auxv:read::9,1", "l"}, {"qXfer:auxv:write::0,1", ""},
		{"qXfer:exec-file:read::0,100", "l/opt/demo"}, {"qXfer:features:read:other.xml:0,100", "E01"}, {"qXfer:memory-map:read::0,1", ""},
		{"vFile:setfs:0", "F0"}, {"vFile:open:" + hex.EncodeToString([]byte("/etc/passwd")) + ",0,0", "F-1,2"},
		{"vFile:open:" + hex.EncodeToString([]byte("/opt/demo")) + ",0,0", "F0"}, {"vFile:pread:0,100,2", "F8;program}\x04"}, {"vFile:pread:0,2,2", "F2;pr"},
		{"vFile:pread:0,2,20", "F0;"}, {"vFile:pread:1,2,0", "F-1,9"}, {"vFile:close:0", "F0"}, {"vFile:pread:0,2,2", "F-1,9"}, {"vFile:open:" + hex.EncodeToString([]byte("/opt/demo")) + ",0,0", "F0"}, {"vFile:unlink:2f", ""},
		{"M1000,1:00", "E01"}, {"G00", "E01"}, {"P0=00", "E01"}, {"Z0,1000,1", ""}, {"vMustReplyEmpty", ""}, {"vCont?", "vCont;c;s"},
	} {
		if got := d.ask(tt.packet); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.packet, got, tt.want)
		}
	}
	for _, packet := range []string{"c", "s", "vCont;c:-1"} {
		d.ask("Hgc8")
		text, _ := hex.DecodeString(strings.TrimPrefix(d.ask(packet), "O"))
		if stop := d.answer(); string(text) != refusal || stop != "T0bthread:c;" {
			t.Errorf("%s: %q and %q", packet, text, stop)
		}
		if got := d.ask("p0"); got != "0002000000000000" { // the thread of the stop is selected
			t.Errorf("after %s: %s", packet, got)
		}
	}
	if got := d.ask("QStartNoAckMode"); got != "OK" {
		t.Error(got)
	}
	if got := d.ask("D"); got != "OK" {
		t.Error(got)
	}
	if err := <-d.ended; err != nil {
		t.Error(err)
	}
}

// Threads are listed in parts, each once. A process without threads has none.
func TestManyThreads(t *testing.T) {
	p := crashed(&cpu.AMD64, false)
	for i := range uint32(3000) {
		p.Threads = append(p.Threads, process.Thread{ID: 0x1000 + i})
	}
	d, seen := connect(t, p), map[string]int{}
	for text := d.ask("qfThreadInfo"); text != "l"; text = d.ask("qsThreadInfo") {
		for id := range strings.SplitSeq(text[1:], ",") {
			seen[id]++
		}
	}
	if len(seen) != 3002 || seen["c"] != 1 || seen["1bb7"] != 1 {
		t.Errorf("%d threads", len(seen))
	}
	p = crashed(&cpu.AMD64, false)
	p.Threads, p.Subject = nil, -1
	d = connect(t, p)
	for _, packet := range []string{"?", "g", "Hg0", "qThreadExtraInfo,0", "qfThreadInfo", "qC", "T0"} {
		d.ask(packet)
	}
}

// A packet with a wrong checksum is requested again.
func TestChecksum(t *testing.T) {
	d := connect(t, crashed(&cpu.AMD64, false))
	io.WriteString(d.conn, "$qC#00")
	if b, _ := d.in.ReadByte(); b != '-' {
		t.Errorf("%q", b)
	}
	if got := d.ask("qC"); got != "QCc" {
		t.Error(got)
	}
}

// Of each CPU gdb gets every register that package cpu has in the order of bytes in memory, and the description counts as many as it gets.
func TestRegistersOfEachCPU(t *testing.T) {
	for _, arch := range cpu.All() {
		if arch == &cpu.SPARC {
			if err := Check(crashed(arch, true)); !errors.Is(err, errNoCPU) {
				t.Error(err)
			}
			continue
		}
		for _, big := range []bool{false, true} {
			d := connect(t, crashed(arch, big))
			l := layoutOf(crashed(arch, big))
			all, size := d.ask("g"), 0
			seen := map[cpu.Reg]bool{}
			for _, r := range l.registers {
				digits := r.bits / 4
				text := all[size : size+digits]
				size += digits
				reg, ok := arch.Reg(r.own)
				if !ok {
					if text != strings.Repeat("x", digits) {
						t.Errorf("%s: %s is %s", arch.Name, r.name, text)
					}
					continue
				}
				seen[reg] = true
				want := fmt.Sprintf("%0*x", digits, 0x200+int(reg))
				if !big {
					want = ""
					for i := range digits / 2 {
						want += fmt.Sprintf("%02x", (0x200+int(reg))>>(8*i)&0xff)
					}
				}
				if text != want {
					t.Errorf("%s: %s is %s, want %s", arch.Name, r.name, text, want)
				}
			}
			if size != len(all) {
				t.Errorf("%s: %d digits, of which %d have a register", arch.Name, len(all), size)
			}
			for r, name := range arch.Regs {
				if !seen[cpu.Reg(r)] && name != "vrsave" {
					t.Errorf("%s: %s is in no feature", arch.Name, name)
				}
			}
			text := l.description(process.Linux)
			if n := strings.Count(text, "<reg "); n != len(l.registers) || !strings.Contains(text, "<osabi>GNU/Linux</osabi>") {
				t.Errorf("%s: %d registers in\n%s", arch.Name, n, text)
			}
			if got := d.ask("qXfer:features:read:target.xml:0,10000"); got[0] != 'l' && got[0] != 'm' || !strings.HasPrefix(text, got[1:]) {
				t.Errorf("%s: %s", arch.Name, got)
			}
		}
	}
}

// A page of the web gets no answer, and neither does a packet without an end.
func TestOthers(t *testing.T) {
	for _, text := range []string{"POST / HTTP/1.1\r\n\r\n$m1000,4#00", "$" + strings.Repeat("m", mostPacket)} {
		d := connect(t, crashed(&cpu.AMD64, false))
		go io.WriteString(d.conn, text)
		if answer, err := io.ReadAll(d.conn); len(answer) > 0 || err != nil {
			t.Errorf("%.20q is answered: %q, %v", text, answer, err)
		}
		if err := <-d.ended; err == nil {
			t.Errorf("%.20q is a session", text)
		}
	}
}

// A gdb that was not built for Windows refuses the registers of x86-64 if the description says that system.
func TestSystemOfWindows(t *testing.T) {
	l := layoutOf(&process.Process{Arch: &cpu.AMD64})
	if text := l.description(process.Windows); !strings.Contains(text, "<osabi>none</osabi>") {
		t.Error(text[:200])
	}
}

// Nothing that a debugger sends ends the program or costs much.
func FuzzPackets(f *testing.F) {
	for _, packet := range []string{"g", "m1000,ffffffff", "qXfer:auxv:read::ffffffff,ffffffff", "vFile:pread:0,ffffffff,7fffffffffffffff", "Hg-1", "p", "vFile:open:"} {
		f.Add(packet)
	}
	p := crashed(&cpu.AMD64, false)
	f.Fuzz(func(t *testing.T, packet string) {
		s := &session{Target: Target{Process: p, Code: func(uint64, []byte) int { return 0 }, Open: func(string) (io.ReaderAt, int64) { return strings.NewReader("x"), 1 }}, out: io.Discard}
		s.cpu = layoutOf(p)
		if packet == "" {
			return
		}
		if n := len(s.answer(packet)); n > mostPacket {
			t.Errorf("%q: %d bytes", packet, n)
		}
	})
}
