package goroutines

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/runtimes"
)

// Where the parts of a made process are.
const (
	dataAt, listAt, heapAt, stackAt = 0x543000, 0xc000100000, 0xc000200000, 0xc000300000
	dataSize, slot                  = 0x400, 0x200
	infoAt, sliceAt                 = 0x10, 0x108
)

// A scene is the memory of a Go program.
type scene struct {
	layout *layout
	data   []byte
	list   []byte
	heap   []byte // a slot of 512 bytes for each structure
	tids   []uint32
}

func put(b []byte, at int, v uint64) { binary.LittleEndian.PutUint64(b[at:], v) }

// made makes a program of a release with goroutines in these states.
func made(version string, states []uint32) *scene {
	minor, _ := minorOf(version)
	s := &scene{layout: layoutOf(minor), data: make([]byte, dataSize), tids: []uint32{100}}
	copy(s.data[infoAt:], "\xff Go buildinf:\x08\x02")
	s.data[infoAt+buildVersion] = byte(len(version))
	copy(s.data[infoAt+buildVersion+1:], version)
	put(s.data, sliceAt, listAt)
	put(s.data, sliceAt+8, uint64(len(states)))
	put(s.data, sliceAt+16, uint64(len(states)+3))
	s.list, s.heap = make([]byte, 8*len(states)), make([]byte, slot*(len(states)+3))
	for i, state := range states {
		put(s.list, 8*i, heapAt+uint64(slot*i))
		g := s.structure(i)
		set := func(f field, v uint64) {
			if s.layout.at[f] >= 0 {
				put(g, int(s.layout.at[f]), v)
			}
		}
		low := uint64(stackAt + 0x1000*i)
		set(stackLo, low)
		set(stackHi, low+0x1000)
		set(schedSP, low+0xf00)
		set(schedPC, 0x401000+uint64(i))
		set(schedBP, low+0xf20)
		set(schedG, heapAt+uint64(slot*i))
		set(goid, uint64(i+1))
		set(gopc, 0x402000)
		set(parent, 1)
		binary.LittleEndian.PutUint32(g[s.layout.at[gStatus]:], state)
	}
	return s
}

// structure is the slot of a goroutine or, behind them, of an m, a sudog and a channel.
func (s *scene) structure(i int) []byte { return s.heap[slot*i : slot*(i+1)] }

// process makes the process.
func (s *scene) process() *process.Process {
	var file []byte
	var ranges []process.Range
	for _, part := range []struct {
		at   uint64
		data []byte
	}{{dataAt, s.data}, {listAt, s.list}, {heapAt, s.heap}} {
		ranges = append(ranges, process.Range{Base: part.at, Location: process.Location{RVA: uint64(len(file)), Size: uint64(len(part.data))}})
		file = append(file, part.data...)
	}
	p := &process.Process{Arch: &cpu.AMD64, Modules: []module.Module{{Base: 0x400000, Size: 0x200000, CodeFile: "/bin/made"}}}
	p.Memory = process.NewMemory(process.NewPager(bin.NewSource(bytes.NewReader(file), int64(len(file)))), false, ranges, func(error) {})
	for _, id := range s.tids {
		p.Threads = append(p.Threads, process.Thread{ID: id})
	}
	return p
}

func written(g *runtimes.Task) string {
	pc, sp, bp := g.Regs.Value(cpu.RIP), g.Regs.Value(cpu.RSP), g.Regs.Value(cpu.RBP)
	return fmt.Sprintf("%d [%s] pc %#x sp %#x bp %#x thread %d creator %#x in %d", g.ID, g.State, pc, sp, bp, g.Thread, g.Creator, g.Parent)
}

// Every release has its goroutines with the words of its tracebacks; dead ones are left out.
func TestFind(t *testing.T) {
	for minor := 18; minor <= 26; minor++ {
		s := made(fmt.Sprintf("go1.%d.1", minor), []uint32{running, isWaiting, deadState, inSyscall, isWaiting | scanning, 1})
		reason := func(text string) byte {
			for i, r := range s.layout.reasons {
				if r == text {
					return byte(i)
				}
			}
			t.Fatalf("1.%d has no %q", minor, text)
			return 0
		}
		s.structure(1)[s.layout.at[waitReason]] = reason("chan send")
		s.structure(4)[s.layout.at[waitReason]] = reason("sleep")
		put(s.structure(0), int(s.layout.at[gM]), heapAt+slot*6)
		put(s.structure(6), int(s.layout.at[procID]), 100)
		put(s.structure(3), int(s.layout.at[syscallSP]), stackAt+0x3800)
		put(s.structure(3), int(s.layout.at[syscallPC]), 0x403000)
		put(s.structure(1), int(s.layout.at[waiting]), heapAt+slot*7)
		put(s.structure(7), int(s.layout.at[sudogG]), heapAt+slot)
		put(s.structure(7), int(s.layout.at[sudogC]), heapAt+slot*8)
		put(s.structure(8), int(s.layout.at[chanCount]), 3)
		put(s.structure(8), int(s.layout.at[chanSize]), 4)
		put(s.structure(8), int(s.layout.at[chanSend]), heapAt+slot*7)

		found := Find(s.process())
		if found == nil || found.Note != "" || len(found.Tasks) != 5 {
			t.Fatalf("1.%d: %+v", minor, found)
		}
		in := uint64(0)
		if minor >= 21 {
			in = 1
		}
		for i, want := range []string{
			"1 [running] pc 0x401000 sp 0xc000300f00 bp 0xc000300f20 thread 100", "2 [chan send] pc 0x401001 sp 0xc000301f00 bp 0xc000301f20 thread 0",
			"4 [syscall] pc 0x403000 sp 0xc000303800 bp 0x0 thread 0", "5 [sleep] pc 0x401004 sp 0xc000304f00 bp 0xc000304f20 thread 0",
			"6 [runnable] pc 0x401005 sp 0xc000305f00 bp 0xc000305f20 thread 0",
		} {
			if got := written(&found.Tasks[i]); got != fmt.Sprintf("%s creator 0x402000 in %d", want, in) {
				t.Errorf("1.%d: %s, want %s", minor, got, want)
			}
		}
		if w := found.Tasks[1].Wait; w == nil || len(w.Channels) != 1 || w.Channels[0] != (runtimes.Channel{Address: heapAt + slot*8, Send: true, Buffered: 3, Size: 4}) {
			t.Errorf("1.%d: waits for %+v", minor, w)
		}
		if minor < 24 {
			continue
		}
		put(s.structure(1), int(s.layout.at[labels]), heapAt+slot*6+0x100)
		for i, v := range []uint64{heapAt + slot*6 + 0x120, 1, 1} {
			put(s.structure(6), 0x100+8*i, v)
		}
		for i, v := range []uint64{0x480000, 6, 0x480010, 2} { // constants
			put(s.structure(6), 0x120+8*i, v)
		}
		put(s.structure(1), int(s.layout.at[deferred]), heapAt+slot*6+0x180)
		put(s.structure(6), 0x180+int(s.layout.at[deferFunc]), 0x481000)
		g := Find(s.process()).Tasks[1]
		if len(g.Labels) != 1 || g.Labels[0] != (runtimes.Label{Name: runtimes.Text{Address: 0x480000, Size: 6}, Value: runtimes.Text{Address: 0x480010, Size: 2}}) {
			t.Errorf("1.%d: labels %+v", minor, g.Labels)
		}
		if len(g.Deferred) != 1 || g.Deferred[0] != 0x481000 {
			t.Errorf("1.%d: deferred %#x", minor, g.Deferred)
		}
	}
}

// The list may be in memory of no file behind the module, but not in other memory.
func TestListBehindModule(t *testing.T) {
	const end = dataAt + 0x100
	for _, tt := range []struct {
		region process.Region
		want   int
	}{
		{process.Region{Start: end, Last: end + 0xfff, Access: "rw-"}, 2}, {process.Region{Start: end, Last: end + 0xfff, Access: "r--"}, 0},
		{process.Region{Start: end - 8, Last: end + 0xfff, Access: "rw-"}, 0}, {process.Region{Start: end, Last: end + 0xfff, Access: "rw-", Name: "[heap]"}, 0},
	} {
		s := made("go1.26.1", []uint32{isWaiting, 1})
		p := s.process()
		p.Modules[0].Size = end - p.Modules[0].Base
		p.Regions = []process.Region{tt.region}
		if found := Find(p); len(found.Tasks) != tt.want {
			t.Errorf("%+v: %d goroutines", tt.region, len(found.Tasks))
		}
	}
}

// Before Go 1.24, labels are a map: the entries of all its buckets that are used.
func TestMapOfLabels(t *testing.T) {
	s := made("go1.23.1", []uint32{isWaiting, 1})
	const m, buckets, more = heapAt + slot*2, heapAt + slot*3, heapAt + slot*4
	s.heap = append(s.heap, make([]byte, 2*slot)...)
	put(s.structure(0), int(s.layout.at[labels]), m)
	put(s.structure(2), 0, m+8)
	s.structure(2)[8+mapLog] = 0
	put(s.structure(2), 8+mapBuckets, buckets)
	for i, at := range []int{3, 4} {
		b := s.structure(at)
		b[0], b[5] = 1, 0x80 // empty, and used
		put(b, inBucket+5*textSize, 0x480000)
		put(b, inBucket+5*textSize+8, uint64(i+1))
		put(b, inBucket+(inBucket+5)*textSize+8, 3)
	}
	put(s.structure(3), overflow, more)
	var sizes []uint64
	for _, l := range Find(s.process()).Tasks[0].Labels {
		sizes = append(sizes, l.Name.Size)
	}
	if fmt.Sprint(sizes) != "[1 2]" {
		t.Errorf("names of %d bytes", sizes)
	}
}

// A program whose structures are not known, or not captured, has a note and no goroutines; another program has neither.
func TestUnknown(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*scene)
		note string
	}{
		"no Go":         {func(s *scene) { s.data[infoAt] = 0 }, "-"},
		"a new release": {func(s *scene) { copy(s.data[infoAt+buildVersion+1:], "go1.17.1") }, "the structures of its runtime are not known"},
		"no list":       {func(s *scene) { put(s.data, sliceAt, 8) }, "no list of goroutines"},
		"a damaged one": {func(s *scene) { put(s.structure(1), int(s.layout.at[schedG]), 8) }, "1 of 4 goroutines are damaged"},
		"one twice":     {func(s *scene) { put(s.list, 16, heapAt) }, "1 of 4 goroutines are damaged"},
	} {
		s := made("go1.26.1", []uint32{running, 1, 1, 1})
		s.tids = nil
		if name == "a damaged one" || name == "one twice" {
			put(s.list, 8, heapAt+slot*2)
			put(s.list, 16, heapAt+slot)
		}
		tt.edit(s)
		found := Find(s.process())
		switch {
		case tt.note == "-":
			if found != nil {
				t.Errorf("%s: %+v", name, found)
			}
		case found == nil || !strings.Contains(found.Note, tt.note):
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// Whatever word is damaged, there is an answer in bounded time, and what is listed is what the undamaged memory has.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states := []uint32{running, isWaiting, 1, deadState, inSyscall}
	whole := made("go1.26.1", states)
	start, n := time.Now(), 0
	for _, part := range []func(*scene) []byte{func(s *scene) []byte { return s.data }, func(s *scene) []byte { return s.list }, func(s *scene) []byte { return s.heap }} {
		for at := 0; at < len(part(whole)); at += 8 {
			for _, v := range []uint64{0, 1, ^uint64(0), heapAt, listAt, stackAt, random.Uint64(), 1 << 63} {
				s := made("go1.26.1", states)
				put(part(s), at, v)
				found := Find(s.process())
				if n++; found == nil {
					continue
				}
				for i := range found.Tasks {
					g := &found.Tasks[i]
					sp, known := g.Regs.Get(cpu.RSP)
					if g.ID == 0 || g.State == "" || known && (sp < g.Low || sp > g.High) || !known && !g.Running {
						t.Fatalf("%#x at %d: %s", v, at, written(g))
					}
				}
			}
		}
	}
	if spent := time.Since(start); spent > time.Minute {
		t.Errorf("%d damaged processes took %v", n, spent)
	}
}

// Many goroutines cost little, and lists that lead to nothing do not cost more.
func TestCost(t *testing.T) {
	states := make([]uint32, 2000)
	for i := range states {
		states[i] = isWaiting
	}
	s := made("go1.26.1", states)
	start := time.Now()
	if found := Find(s.process()); len(found.Tasks) != 2000 {
		t.Fatalf("%d goroutines, %s", len(found.Tasks), found.Note)
	}
	if spent := time.Since(start); spent > time.Minute {
		t.Errorf("2,000 goroutines took %v", spent)
	}
}

// Versions have a minor number.
func TestMinor(t *testing.T) {
	for version, want := range map[string]int{"go1.26.8": 26, "go1.21rc2": 21, "devel go1.27-abc": 27, "go1.24.1 X:nodwarf5": 24, "go2": -1, "": -1} {
		n, ok := minorOf(version)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %t", version, n, ok)
		}
	}
	if layoutOf(17) != nil || layoutOf(19) == nil || layoutOf(27) == nil {
		t.Error("releases of the table")
	}
}
