package kernel

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/kerneldump"
)

// told is a process with all that a small dump of it says again.
func told(t testing.TB, l *cpu.Layout) *process.Process {
	p := openAll(t, kerneldump.SmallDump(t, l))
	a, pid := l.Arch, uint32(4)
	fault := &process.Registers{Arch: a, Regs: kerneldump.At(a, kerneldump.High(a, 0x3_0010), kerneldump.High(a, 0x5008)), Removed: cpu.SetOf(5), Texts: cpu.SetOf(5)}
	p.Threads[0].Name, p.Threads[0].Fault = "processor 0, System (4)", fault
	p.Threads = append(p.Threads, process.Thread{ID: 1, Registers: fault})
	p.PID, p.System.CPU = &pid, "Fast 3000"
	m := &p.Modules[1]
	m.DebugFile, m.DebugID, m.Code = "widget.pdb", "000000010002000300040000000000001", &module.Parts{{Start: 0x1000, Size: 0x800}}
	p.Event.Record = &process.Event{Code: 0xc000_0005, Address: 7, Parameters: []uint64{1, 2}}
	p.Event.Hardware, p.Event.Driver = []string{"memory, card 1"}, m.Base
	p.Event.Deferred = []process.DPCStack{{Top: 0x3000, Low: 0x5000, High: 0x8000}}
	p.Event.About = func(base uint64) []string {
		if base == m.Base {
			return []string{"version 1.2.3.4"}
		}
		return nil
	}
	return p
}

// A process is the same behind a small dump of it: on each CPU, from each kind of dump.
func TestSmall(t *testing.T) {
	for name, l := range layoutsOf {
		t.Run(name, func(t *testing.T) {
			p := told(t, l)
			ranges := p.Memory.Ranges()
			data, err := Small(p, process.NewRemoved([]process.Location{{RVA: ranges[0].RVA + 2, Size: 3}, {RVA: ranges[1].RVA, Size: 1}}))
			if err != nil {
				t.Fatal(err)
			}
			q := openAll(t, data)
			noNotes(t, q)
			if !reflect.DeepEqual(q.Modules, p.Modules) || !reflect.DeepEqual(q.Unloaded, p.Unloaded) {
				t.Errorf("drivers %+v, want %+v; unloaded %+v, want %+v", q.Modules, p.Modules, q.Unloaded, p.Unloaded)
			}
			sameFault := len(q.Threads) == 2 && reflect.DeepEqual(q.Threads[0].Fault, p.Threads[0].Fault)
			if !sameFault || !reflect.DeepEqual(q.Threads[1], p.Threads[1]) || q.Threads[0].Name != p.Threads[0].Name {
				t.Errorf("threads %+v, want %+v", q.Threads, p.Threads)
			}
			if q.Threads[0].Registers.Regs != p.Threads[0].Registers.Regs || q.Time != p.Time || *q.Uptime != *p.Uptime || *q.PID != 4 || !reflect.DeepEqual(q.System, p.System) {
				t.Errorf("registers %v, times %d %d, system %+v", q.Threads[0].Registers.Regs, q.Time, *q.Uptime, q.System)
			}
			about := q.Event.About(p.Modules[1].Base)
			if q.Event.About, p.Event.About = nil, nil; !reflect.DeepEqual(q.Event, p.Event) || !reflect.DeepEqual(about, []string{"version 1.2.3.4"}) {
				t.Errorf("event %+v, want %+v; %q", q.Event, p.Event, about)
			}
			for i, r := range q.Memory.Ranges() {
				was, is := make([]byte, r.Size), make([]byte, r.Size)
				p.Memory.Read(r.Base, was)
				if q.Memory.Placeholders().Read(r.Base, is); r.Base != ranges[i].Base || r.Size != ranges[i].Size || !bytes.Equal(was, is) {
					t.Errorf("memory %q at %#x, was %q", is, r.Base, was)
				}
			}
			want := []int{0, 2}
			for i, r := range ranges {
				if n := q.Memory.Read(r.Base, make([]byte, 8)); n != want[1-i] {
					t.Errorf("%d bytes before what was removed at %#x, want %d", n, r.Base, want[1-i])
				}
			}
		})
	}
}

// What was added is about no more drivers than a dump has.
func TestSmallManyDrivers(t *testing.T) {
	p := told(t, &cpu.ContextAMD64)
	data, err := Small(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{0: 1, mostDrivers: 0} {
		at := bytes.Index(data, []byte(`{"cpu"`))
		facts := fmt.Sprintf(`{"drivers":[%s{"base":%d,"about":["x"]}]}`, strings.Repeat(`{},`, n), p.Modules[1].Base)
		order.PutUint32(data[at-12:], uint32(len(facts)))
		if got := openAll(t, append(data[:at:at], facts...)).Event.About(p.Modules[1].Base); len(got) != want {
			t.Errorf("behind %d others: %q", n, got)
		}
	}
}

// Damage of what was added costs what it says, and no more.
func TestSmallDamaged(t *testing.T) {
	data, err := Small(told(t, &cpu.ContextAMD64), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte(`{"cpu"`))
	for i := at; i < len(data); i++ {
		was := data[i]
		data[i] ^= 0x15
		p := openAll(t, data)
		if len(p.Modules) != 2 || len(p.Threads) == 0 {
			t.Fatalf("%d drivers and %d threads with a damaged byte %d", len(p.Modules), len(p.Threads), i-at)
		}
		data[i] = was
	}
	if p := openAll(t, data[:at+40]); len(p.Notes) == 0 || len(p.Modules) != 2 || len(p.Threads) != 1 {
		t.Errorf("truncated: %d notes, %d drivers, %d threads", len(p.Notes), len(p.Modules), len(p.Threads))
	}
}
