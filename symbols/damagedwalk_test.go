package symbols

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/sample"
)

const realCorpus = "../../shared/corpus/real/"

// walkable are programs of every format with tables for unwinding, and dumps of
// those that crashed.
var walkable = []struct{ program, dump string }{
	{"../cmd/crashglass/testdata/chain/chain64.exe", "../cmd/crashglass/testdata/chain/chain64.dmp"},
	{"tables/exidx/testdata/t32.so", ""},
	{"tables/exidx/testdata/a32.so", ""},
	{realCorpus + "native/vcall_o2", realCorpus + "dumps/core_vcall_o2.dmp"},
	{realCorpus + "native/trap_o2", realCorpus + "dumps/trap_o2.dmp"},
	{realCorpus + "native/sighandler_o2", realCorpus + "dumps/core_sighandler_o2.dmp"},
	{realCorpus + "native/threads_o2", realCorpus + "dumps/core_threads_o2.dmp"},
	{realCorpus + "native/x86_q_leaf", realCorpus + "dumps/x86_q_leaf.dmp"},
	{realCorpus + "native/arm_arm", realCorpus + "dumps/arm_arm.dmp"},
	{realCorpus + "native/arm64_abort", realCorpus + "dumps/arm64_abort.dmp"},
	{realCorpus + "native/arm64_static_fp", realCorpus + "dumps/arm64_static_fp.dmp"},
	{realCorpus + "native/riscv64_leaf", realCorpus + "dumps/riscv64_leaf.dmp"},
	{realCorpus + "native/mipsel_leaf", realCorpus + "dumps/mipsel_leaf.dmp"},
	{nativeCorpus + "symbolic/macos/crash", ""},
	{nativeCorpus + "symbolic/windows/arm64/test.exe", ""},
	{nativeCorpus + "dump_syms/windows/basic64.dll", ""},
}

// A damageable is a program and threads that are in it.
type damageable struct {
	name   string
	whole  []byte
	tables tables
	rules  *union
	scene  *scene
	dump   *unwind.Input // of the thread that crashed, where there is a dump
	base   uint64        // of the module in it
}

func newDamageable(t testing.TB, program, dump string) *damageable {
	t.Helper()
	whole, err := os.ReadFile(program)
	if err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	d := &damageable{name: filepath.Base(program), whole: whole, tables: tablesOf(t, whole)}
	var m *module.Module
	d.rules, m, _ = d.open(whole)
	d.scene = newScene(t, d.rules, m.Arch)
	if dump != "" {
		d.openDump(t, dump)
	}
	return d
}

// open opens the program, as it is or damaged. The last result asks what is
// wrong with it.
func (d *damageable) open(data []byte) (*union, *module.Module, func() string) {
	s := NewStore(Options{})
	s.Add(d.name, source(string(data)))
	m := s.Modules()[0]
	src, _ := s.For(&m)
	return src.(*union), &m, func() string {
		if _, st := s.For(&m); st.Why != nil {
			return *st.Why
		}
		return ""
	}
}

func (d *damageable) openDump(t testing.TB, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(source(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	sys, err1 := f.SystemInfo()
	crash, err2 := f.Exception()
	memory, err3 := f.Memory()
	modules, err4 := f.Modules()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	context, err := f.Context(crash.Context, sys)
	if err != nil {
		t.Fatal(err)
	}
	d.dump = &unwind.Input{Arch: context.Arch, OS: "linux", Regs: context.Regs, Memory: memory, Modules: module.NewMap(modules)}
	i := slices.IndexFunc(modules, func(m module.Module) bool { return m.Name() == d.name })
	if i < 0 {
		t.Fatalf("%s is in no module of %s", d.name, path)
	}
	d.base = modules[i].Base
}

// damage changes up to four places of the tables, of up to eight bytes each.
func (d *damageable) damage(r *rand.Rand) []byte {
	data := bytes.Clone(d.whole)
	all := d.tables.strips
	table := all[r.IntN(len(all))]
	for range 1 + r.IntN(4) {
		if r.IntN(4) == 0 {
			table = all[r.IntN(len(all))]
		}
		part := data[table.from:table.to]
		switch rest := part[r.IntN(len(part)):]; r.IntN(4) {
		case 0:
			rest[0] ^= 1 << r.IntN(8)
		case 1:
			rest[0] = byte(r.Uint32())
		case 2:
			for i := range rest[:min(len(rest), 4)] {
				rest[i] = byte(r.Uint32())
			}
		case 3:
			copy(rest, part[r.IntN(len(part)):][:min(len(rest), r.IntN(9))])
		}
	}
	return data
}

// A damagedWalk is what is known of one walk with a damaged program.
type damagedWalk struct {
	*damageable
	data  []byte
	rules *union // of the damaged program
	why   func() string
	base  uint64
	found int // frames by rules of the program
}

// walk walks one stack, and says what is wrong with it.
func (w *damagedWalk) walk(in unwind.Input) error {
	const most = 64
	in.Frames = most
	in.Rules = func(m *module.Module) unwind.Rules {
		if m.Base != w.base {
			return nil
		}
		return w.rules
	}
	stack := unwind.Walk(in)
	if len(stack.Frames) > most || stack.Steps > 8*most || stack.Reads > 1024*most {
		return fmt.Errorf("%d frames took %d steps and %d words", len(stack.Frames), stack.Steps, stack.Reads)
	}
	for i := range len(stack.Frames) - 1 {
		callee, f := &stack.Frames[i], &stack.Frames[i+1]
		if callee.Module == nil || callee.Module.Base != w.base {
			continue
		}
		rel := callee.Instruction - w.base
		if err := w.local(rel); err != nil {
			return fmt.Errorf("frame %d: %w", i, err)
		}
		rules, ok := w.rules.CallFrame(rel)
		switch {
		case f.FoundBy != unwind.ByCFI:
			continue
		case !ok:
			return fmt.Errorf("frame %d is by rules, and there are none", i+1)
		}
		w.found++
		from, to := callee.Regs.Value(in.Arch.SP), f.Regs.Value(in.Arch.SP)
		if err := w.above(in, rules, from, to, i == 0); err != nil {
			return fmt.Errorf("frame %d: sp %#x follows %#x by %v: %w", i+1, to, from, rules, err)
		}
	}
	return nil
}

// above checks that a stack pointer lies further up on the same stack. A signal's
// frame may lead to another one; and with a return address in a register nothing
// is read there, so that a stack of which a part was captured goes on.
func (w *damagedWalk) above(in unwind.Input, rules unwind.CallFrame, from, to uint64, innermost bool) error {
	word := in.Arch.Word
	switch _, captured := in.Memory.Word(max(from, to-uint64(word)), word); {
	case rules.Signal:
	case to < from || to == from && !innermost:
		return errors.New("it does not lie above")
	case !captured && slices.ContainsFunc(rules.Rules, func(r unwind.Rule) bool { return r.Reg == ".ra" && strings.Contains(r.Text(), "^") }):
		return errors.New("it lies on no stack")
	}
	return nil
}

// local checks that damage costs what is damaged. Rules whose records are whole are what they were
// or missing, and then a note says so. But a record that is damaged and can still be decoded has
// another meaning, which is not detectable: its frame may be any that lies further up on the stack.
// It may also reach over a record that is whole, where the list of records breaks off before that
// one is seen, which is noted.
func (w *damagedWalk) local(rel uint64) error {
	was, had := w.damageable.rules.CallFrame(rel)
	is, has := w.rules.CallFrame(rel)
	find := w.tables.record[was.From]
	if !had || find == nil || slices.ContainsFunc(find(rel), w.hit) {
		return nil
	}
	other := has && (is.Start != was.Start || is.Size != was.Size)
	switch noted := strings.Contains(w.why(), w.name+" is damaged: "); {
	case has && is.From == was.From && !(other && noted) && fmt.Sprint(is) != fmt.Sprint(was):
		return fmt.Errorf("rules of whole records are %v, were %v", is, was)
	case !has && !noted && !w.tables.silent(w.data):
		return fmt.Errorf("rules of whole records are lost, and all that is said is %q", w.why())
	}
	return nil
}

// hit reports whether a part of the file is damaged.
func (w *damagedWalk) hit(s strip) bool {
	return !bytes.Equal(w.whole[s.from:s.to], w.data[s.from:s.to])
}

// check damages a program by a seed and walks threads that are in it. It
// returns how many frames were found by its rules.
func (d *damageable) check(seed uint64) (int, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	w := &damagedWalk{damageable: d, data: d.damage(r)}
	w.rules, _, w.why = d.open(w.data)
	if d.dump != nil {
		w.base = d.base
		if err := w.walk(*d.dump); err != nil {
			return 0, fmt.Errorf("seed %d: the dump: %w", seed, err)
		}
	}
	w.base = sceneImage
	for n := range uint64(4) {
		if err := w.walk(d.scene.input(4*seed + n)); err != nil {
			return 0, fmt.Errorf("seed %d: scene %d: %w", seed, n, err)
		}
	}
	return w.found, nil
}

// TestDamagedTablesOnAWalk damages tables for unwinding at random and walks.
func TestDamagedTablesOnAWalk(t *testing.T) {
	for _, p := range walkable {
		t.Run(filepath.Base(p.program), func(t *testing.T) {
			d := newDamageable(t, p.program, p.dump)
			found := 0
			for seed := range uint64(sample.Of(20)) {
				runtime.GC() // in js a loop gives the collector no turn, and garbage grows to all the memory there is
				n, err := d.check(seed)
				if err != nil {
					t.Fatal(err)
				}
				found += n
			}
			if found == 0 {
				t.Error("no frame was found by rules")
			}
		})
	}
}

// TestTablesOfNoise has nothing but noise for tables: no frame is made of it.
func TestTablesOfNoise(t *testing.T) {
	for _, p := range walkable {
		t.Run(filepath.Base(p.program), func(t *testing.T) {
			d := newDamageable(t, p.program, p.dump)
			for seed := range uint64(sample.Of(10)) {
				r := rand.New(rand.NewPCG(seed, 4))
				w := &damagedWalk{damageable: d, data: bytes.Clone(d.whole), base: sceneImage}
				for _, s := range d.tables.strips {
					for i := range w.data[s.from:s.to] {
						w.data[s.from:s.to][i] = byte(r.Uint32())
					}
				}
				w.rules, _, w.why = d.open(w.data)
				if err := w.walk(d.scene.input(seed)); err != nil || w.found > 0 {
					t.Errorf("seed %d: %d frames by rules, %v", seed, w.found, err)
				}
				if why := w.why(); !strings.Contains(why, " is damaged: ") {
					t.Errorf("seed %d: all that is said is %q", seed, why)
				}
			}
		})
	}
}

func FuzzDamagedTablesOnAWalk(f *testing.F) {
	programs := map[string]*damageable{}
	for i, p := range walkable {
		if _, err := os.Stat(p.program); err == nil {
			f.Add(uint8(i), uint64(1000+i))
			programs[p.program] = newDamageable(f, p.program, p.dump)
		}
	}
	f.Add(uint8(0), uint64(21662)) // an entry of .pdata that got begin and end of another one
	f.Add(uint8(12), uint64(825))  // an FDE that got the first address of another one
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		if d := programs[walkable[int(which)%len(walkable)].program]; d != nil {
			if _, err := d.check(seed); err != nil {
				t.Error(err)
			}
		}
	})
}
