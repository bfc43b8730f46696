package unwind

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/asm"
)

var update = flag.Bool("update", false, "write testdata/walks.txt anew; read every line of the difference")

// walksFile has, for each test that draws pictures, what the evidence of their
// walks says, and how the walks go where a part of a picture is missing or wrong.
const walksFile = "testdata/walks.txt"

// drawn are the lines of walksFile by the test that they belong to.
var drawn = map[string][]string{}

// TestMain compares walksFile with what the tests have drawn: the tests that ran
// have to draw what stands there, line by line.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && runtime.GOOS != "js" { // Node would take seconds for it
		code = compareWalks()
	}
	os.Exit(code)
}

// set is a flag of go test, as it was given.
func set(name string) string { return flag.Lookup("test." + name).Value.String() }

func compareWalks() int {
	switch {
	case *update && set("run")+set("skip") != "":
		fmt.Println("-update needs a run of all tests")
		return 1
	case *update:
		return writeWalks()
	case strings.Contains(set("run")+set("skip"), "/") || set("count") != "1" || set("cpu") != "":
		return 0 // a test drew a part of its pictures, or all of them twice
	}
	data, err := os.ReadFile(walksFile)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	code := 0
	for _, section := range strings.Split(string(data), "\n\n") {
		lines := strings.Split(strings.TrimSpace(section), "\n")
		if got, ran := drawn[lines[0]]; ran && !slices.Equal(got, lines[1:]) {
			code = 1
			fmt.Printf("--- FAIL: %s: %s\n", lines[0], firstDifference(got, lines[1:]))
		}
	}
	return code
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := line(got, i), line(want, i)
		if g != w {
			return fmt.Sprintf("line %d of its walks is\n  %s\nwant\n  %s", i+1, g, w)
		}
	}
	return ""
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

func writeWalks() int {
	var sections []string
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		sections = append(sections, name+"\n"+strings.Join(drawn[name], "\n"))
	}
	if err := os.WriteFile(walksFile, []byte(strings.Join(sections, "\n\n")+"\n"), 0o644); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// mostWalks bounds the pictures of one test that are drawn, and mostPlaces the
// words of a picture's stack, or of its code, that are damaged in turn.
const (
	mostWalks  = 20
	mostStack  = 512 // bytes: larger ones are about limits
	mostPlaces = 6
)

// draw adds a picture to what its test has drawn.
func (p picture) draw(t testing.TB) {
	test, sub, _ := strings.Cut(t.Name(), "/")
	lines := drawn[test]
	pictures := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "# ") {
			pictures++
		}
	}
	if pictures >= mostWalks || runtime.GOOS == "js" || !strings.HasPrefix(test, "Test") || p.stack == nil || len(p.stack.Build(t)) > mostStack {
		return
	}
	lines = append(lines, strings.TrimSpace("# "+sub))
	for _, said := range p.said(t) {
		if !slices.Contains(lines, said) {
			lines = append(lines, said)
		}
	}
	drawn[test] = append(lines, p.damaged(t)...)
}

// said is the evidence of a picture's walk.
func (p picture) said(t testing.TB) (lines []string) {
	in := p.plain(t)
	in.Explain = true
	stack := Walk(in)
	add := func(steps []Step) {
		for _, s := range steps {
			lines = append(lines, s.Method.String()+": "+s.Result.String())
			for _, text := range s.Text {
				lines = append(lines, "  "+text)
			}
			for _, r := range s.Reads {
				lines = append(lines, fmt.Sprintf("  %#x: %d bytes, %s", r.Address, r.Size, r.Use))
			}
		}
	}
	for i, f := range stack.Frames {
		add(f.Evidence)
		lines = append(lines, fmt.Sprintf("= frame %d by %s, guess %t, knows %s", i, f.FoundBy, f.Guess, known(p.arch, &f.Regs)))
	}
	add(stack.End.Evidence)
	return lines
}

// damaged is how the walk goes with each part of the picture missing or wrong, for
// the parts that make a difference.
func (p picture) damaged(t testing.TB) (lines []string) {
	whole := p.outcome(t)
	var outcomes []string
	ways := map[string][]string{}
	try := func(way string, damaged picture) {
		got := damaged.outcome(t)
		if got == whole {
			return
		}
		if ways[got] == nil {
			outcomes = append(outcomes, got)
		}
		ways[got] = append(ways[got], way)
	}
	p.damageRegisters(try)
	p.damageSymbols(try)
	p.damageMemory(t, try)
	for _, outcome := range outcomes {
		lines = append(lines, strings.Join(ways[outcome], ", ")+" -> "+outcome)
	}
	return lines
}

// outcome is the frames and the end of a walk in a line.
func (p picture) outcome(t testing.TB) string {
	stack := Walk(p.plain(t))
	var text []string
	for i, f := range stack.Frames {
		if i == 6 {
			text = append(text, fmt.Sprintf("%d frames", len(stack.Frames)))
			break
		}
		text = append(text, hexTrust(f))
	}
	return strings.Join(append(text, endText(stack.End)), "; ")
}

func (p picture) damageRegisters(try func(string, picture)) {
	for _, name := range slices.Sorted(maps.Keys(p.regs)) {
		was := p.regs[name]
		change := func(way string, v uint64) {
			d := p
			d.regs = maps.Clone(p.regs)
			d.regs[name] = v
			try(name+way, d)
		}
		d := p
		d.regs = maps.Clone(p.regs)
		delete(d.regs, name)
		try("no "+name, d)
		change("=0", 0)
		change("+1", was+1)
		change("+word", was+uint64(p.arch.Word))
		change("=max", p.arch.Mask()&^uint64(p.arch.Word-1))
	}
}

func (p picture) damageSymbols(try func(string, picture)) {
	for _, os := range []process.OS{"linux", "windows", "mac", "ios", "android"} {
		if os != p.os {
			d := p
			d.os = os
			try(string(os), d)
		}
	}
	d := p
	d.symbols.functions = nil
	try("no functions", d)
	d = p
	d.symbols.frames, d.symbols.win = nil, nil
	try("no rules", d)
	d = p
	d.symbols.functions = slices.Clone(p.symbols.functions)
	for i := range d.symbols.functions {
		d.symbols.functions[i].Public, d.symbols.functions[i].Size = true, 0
	}
	try("linker symbols only", d)
	d = p
	d.ranges = !p.ranges
	try("the other kind of memory", d)
}

// damageMemory cuts the memory at each word, and makes each word 0 and all ones.
func (p picture) damageMemory(t testing.TB, try func(string, picture)) {
	for _, m := range []struct {
		name  string
		piece **asm.Section
	}{{"stack", &p.stack}, {"code", &p.code}, {"library", &p.library}} {
		if *m.piece == nil {
			continue
		}
		section, step := *m.piece, p.arch.Word
		if m.name != "stack" {
			step = 4
		}
		data := section.Build(t)
		change := func(way string, data []byte) {
			*m.piece = asm.At(section.Base()).Bytes(data)
			try(m.name+way, p)
			*m.piece = section
		}
		for at := 0; at+step <= len(data) && at < mostPlaces*step; at += step {
			change(fmt.Sprintf(" to %#x", at), data[:at])
			for _, fill := range []byte{0, 0xff} {
				wrong := slices.Clone(data)
				for i := range step {
					wrong[at+i] = fill
				}
				change(fmt.Sprintf(" %#x=%02x", at, fill), wrong)
			}
		}
	}
}
