package pe

import (
	"bufio"
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/machine/postfix"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/breakpad"
)

const native = "../../../../shared/corpus/public/native/"

// pairs are images with the .sym files that dump_syms has made of them, or of
// their PDB files: Mozilla's in dump_syms, Breakpad's in breakpad.
var pairs = []string{
	"dump_syms/windows/basic64", "dump_syms/windows/basic64-dwarf", "dump_syms/windows/mozwer",
	"dump_syms/windows/dump_syms_regtest64", "breakpad/dump_syms_regtest64", "breakpad/pe_only_symbol_test",
}

// corpusFile reads a file of the corpus, or skips the test.
func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(native + name)
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	return data
}

// anyMemory has a value at each address, always the same one.
type anyMemory struct{ cfa uint64 }

func scramble(v uint64) uint64 {
	v = (v ^ v>>31) * 0x9e37_79b9_7f4a_7c15
	return (v ^ v>>29) * 0xbf58_476d_1ce4_e5b9
}

func (m *anyMemory) Get(name string) (uint64, bool) {
	if name == ".cfa" {
		return m.cfa, true
	}
	v := uint64(1)
	for _, b := range strings.TrimPrefix(name, "$") {
		v = scramble(v + uint64(b))
	}
	return v, true
}

func (m *anyMemory) Set(string, uint64)              {}
func (m *anyMemory) Word(addr uint64) (uint64, bool) { return scramble(addr), true }

// meaning evaluates rules: the value of each register in the caller. A register
// that is not mentioned is as it was, but for rsi and rdi, which are lost.
func meaning(t testing.TB, rules []unwind.Rule) map[string]uint64 {
	env := &anyMemory{}
	m := postfix.Machine{Env: env, Size: 8}
	out := map[string]uint64{}
	for _, r := range nonvolatile {
		if name := amd64Regs[r]; name != "$rsi" && name != "$rdi" {
			out[name], _ = env.Get(name)
		}
	}
	for _, first := range []bool{true, false} {
		for _, r := range rules {
			if (r.Reg == ".cfa") != first {
				continue
			}
			v, err := m.Value(r.Text())
			if err != nil {
				t.Errorf("%s: %s: %v", r.Reg, r.Text(), err)
			}
			out[r.Reg] = v
			if first {
				env.cfa = v
			}
		}
	}
	return out
}

// changes are the addresses where a .sym file's rules change, and the last
// ones of their records.
func changes(data []byte) (out []uint64) {
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		rest, ok := strings.CutPrefix(lines.Text(), "STACK CFI ")
		if !ok {
			continue
		}
		words := strings.Fields(strings.TrimPrefix(rest, "INIT "))
		addr, _ := strconv.ParseUint(words[0], 16, 64)
		out = append(out, addr)
		if size, err := strconv.ParseUint(words[1], 16, 64); err == nil {
			out = append(out, addr+size-1, addr+size)
		}
	}
	return out
}

// A difference is what both say of one address.
type difference struct {
	f            *File
	rel          uint64
	ours, theirs unwind.CallFrame
	ok, theirOK  bool
	say, theySay map[string]uint64
}

// sameFrame reports whether both find the same caller.
func (d *difference) sameFrame() bool {
	return d.ok && d.theirOK && d.say[".cfa"] == d.theySay[".cfa"] && d.say[".ra"] == d.theySay[".ra"]
}

// sameRegisters reports whether all registers that the other one knows are the same here.
func (d *difference) sameRegisters() bool {
	for name, v := range d.theySay {
		if d.say[name] != v {
			return false
		}
	}
	return true
}

// procedure is the function around the address.
func (d *difference) procedure() *procedure {
	e, _, _ := d.f.find(d.rel)
	p, err := d.f.procedure(e)
	if err != nil {
		return &procedure{chain: []*unwindInfo{{}}}
	}
	return p
}

// body evaluates what the codes say of the function's body.
func (d *difference) body(t testing.TB) map[string]uint64 {
	p := d.procedure()
	fr := amd64Frame()
	if err := p.undo(fr, uint64(p.begin)+uint64(p.chain[0].prolog)); err != nil {
		return nil
	}
	return meaning(t, fr.amd64Rules(nil))
}

// depth is how much stack the whole prolog takes, with the return address.
func (d *difference) depth() uint64 {
	n := uint64(8)
	for _, u := range d.procedure().chain {
		for _, c := range u.codes {
			switch c.op {
			case opPushNonvol:
				n += 8
			case opAllocSmall, opAllocLarge:
				n += uint64(c.arg)
			}
		}
	}
	return n
}

// classes are why answers differ. Each has its heading in DIFFERENCES.md.
var classes = []struct {
	name string
	is   func(t testing.TB, d *difference) bool
}{
	{"Registers", func(t testing.TB, d *difference) bool { return d.sameFrame() && d.sameRegisters() }},
	{"Prologs and epilogs", func(t testing.TB, d *difference) bool {
		body := d.body(t)
		return d.ok && d.theirOK && body[".cfa"] == d.theySay[".cfa"] && body[".ra"] == d.theySay[".ra"]
	}},
	{"Frame registers", func(t testing.TB, d *difference) bool {
		rsp, _ := (&anyMemory{}).Get("$rsp")
		return d.ok && d.procedure().chain[0].frameReg != 0 && d.theySay[".cfa"] == rsp+d.depth()
	}},
	{"Leaves", func(t testing.TB, d *difference) bool {
		return !d.theirOK && strings.HasPrefix(d.ours.From, "the lack")
	}},
}

func (d *difference) class(t testing.TB) string {
	for _, class := range classes {
		if class.is(t, d) {
			return class.name
		}
	}
	return ""
}

func (d *difference) same() bool {
	return d.ok == d.theirOK && (!d.ok || d.sameFrame() && d.sameRegisters() && len(d.say) == len(d.theySay))
}

// TestSameAsSym evaluates both at every address where either changes. What
// differs is of a class that DIFFERENCES.md explains.
func TestSameAsSym(t *testing.T) {
	counts := map[string]int{}
	for _, name := range pairs {
		t.Run(name, func(t *testing.T) {
			ext := ".dll"
			if strings.Contains(name, "regtest") {
				ext = ".exe"
			}
			image, text := corpusFile(t, name+ext), corpusFile(t, name+".sym")
			f := open(t, image)
			sym, err := breakpad.Open(source(text), breakpad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			addrs := changes(text)
			for _, table := range tables(t, f) {
				addrs = append(addrs, table.Start, table.Start+table.Size-1, table.Start+table.Size)
				for _, row := range table.Rows {
					addrs = append(addrs, row.Addr)
				}
			}
			slices.Sort(addrs)
			for _, rel := range slices.Compact(addrs) {
				d := &difference{f: f, rel: rel}
				d.ours, d.ok = f.CallFrame(rel)
				d.theirs, d.theirOK = sym.CallFrame(rel)
				d.say, d.theySay = meaning(t, d.ours.Rules), meaning(t, d.theirs.Rules)
				if d.same() {
					counts["the same"]++
					continue
				}
				class := d.class(t)
				counts[class]++
				if class == "" {
					t.Errorf("%#x:\n  %s %v\n  %s %v", rel, unwind.RuleText(d.ours.Rules), d.ok, unwind.RuleText(d.theirs.Rules), d.theirOK)
				}
			}
			if notes := f.Notes(); len(notes) > 0 {
				t.Errorf("%q", notes)
			}
		})
	}
	t.Logf("%v", counts)
	doc, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range classes {
		if !strings.Contains(string(doc), "\n## "+class.name+"\n") {
			t.Errorf("DIFFERENCES.md does not explain %q", class.name)
		}
		if len(counts) > 0 && counts[class.name] == 0 {
			t.Errorf("nothing differs by %q any more", class.name)
		}
	}
}
