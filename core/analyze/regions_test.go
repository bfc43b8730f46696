package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/report"
	"crashglass/core/testkit/dump"
)

// Regions are cut where captured memory begins and ends; "*" is captured.
func TestMemoryRegions(t *testing.T) {
	tests := []struct {
		name     string
		maps     string
		captured [][2]uint64 // base, size
		want     []string
	}{
		{"nothing", "", nil, nil},
		{"maps only", "1000-3000 r-xp 0 08:01 1 /bin/app\n", nil, []string{"1000+2000 r-x mapped /bin/app"}},
		{"captured only", "", [][2]uint64{{0x1000, 0x10}, {0x5000, 0x20}}, []string{"1000+10* ", "5000+20* "}},
		{"whole", "1000-3000 rw-p 0 00:00 0 \n", [][2]uint64{{0x1000, 0x2000}}, []string{"1000+2000* rw- private"}},
		{"inside", "1000-3000 rw-p 0 00:00 0 \n", [][2]uint64{{0x1800, 0x100}, {0x2000, 0x100}}, []string{
			"1000+800 rw- private", "1800+100* rw- private", "1900+700 rw- private", "2000+100* rw- private", "2100+f00 rw- private",
		}},
		{"across two and the gap between them", "1000-2000 rw-p 0 00:00 0\n3000-4000 r--p 0 00:00 0\n", [][2]uint64{{0x1800, 0x2000}}, []string{
			"1000+800 rw- private", "1800+800* rw- private", "2000+1000* ", "3000+800* r-- private", "3800+800 r-- private",
		}},
		{"below, above and around", "2000-3000 ---p 0 00:00 0 [stack]\n", [][2]uint64{{0x1000, 0x3000}}, []string{
			"1000+1000* ", "2000+1000* --- stack [stack]", "3000+1000* ",
		}},
		{"overlapping maps", "1000-3000 r--p 0 00:00 0\n2000-4000 rw-p 0 00:00 0\n1000-1800 ---p 0 00:00 0\n", nil, []string{
			"1000+1000 r-- private", "2000+2000 rw- private",
		}},
		{"a map inside another one", "1000-5000 r--p 0 00:00 0\n2000-3000 rw-p 0 00:00 0\n", nil, []string{
			"1000+1000 r-- private", "2000+1000 rw- private", "3000+2000 r-- private",
		}},
		{"impossible map", "3000-1000 r--p 0 00:00 0\n2000-2000 r--p 0 00:00 0\n", nil, nil},
		{"from zero to the top", "0-fffffffffffff000 ---p 0 00:00 0\n", [][2]uint64{{0, 0x10}, {0xffff_ffff_ffff_fff0, 0x10}}, []string{
			"0+10* --- private", "10+ffffffffffffeff0 --- private", "fffffffffffffff0+10* ",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := dump.New()
			if tt.maps != "" {
				b.Stream(uint32(minidump.LinuxMapsStream), b.Section().Text(tt.maps))
			}
			for _, c := range tt.captured {
				b.Memory(c[0], make([]byte, c[1]))
			}
			r, err := Dump(source(b.Build(t)), nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := regionTexts(r)
			if !slices.Equal(got, tt.want) {
				t.Errorf("regions\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func regionTexts(r *report.Report) (out []string) {
	for _, g := range r.MemoryRegions {
		out = append(out, regionText(&g))
	}
	return out
}

func regionText(g *report.Region) string {
	captured := ""
	if g.Captured {
		captured = "*"
	}
	base := strings.TrimLeft(string(g.Base)[2:], "0")
	if base == "" {
		base = "0"
	}
	words := strings.TrimRight(fmt.Sprintf("%s %s %s", g.Protection, g.Kind, g.Name), " ")
	return fmt.Sprintf("%s+%s%s %s", base, string(g.Size)[2:], captured, words)
}

// A module names the memory that it is in, and a stack pointer the stack.
func TestMemoryRegionNames(t *testing.T) {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app"})
	b.Memory(0x40_0000, make([]byte, 16)).Memory(0x7000, make([]byte, 0x100))
	b.Thread(dump.Thread{ID: 1, Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0000, "rsp": 0x7010})})
	r, err := Dump(source(b.Build(t)), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := regionTexts(r)
	want := []string{"7000+100*  stack", "400000+10*  image /opt/app"}
	if !slices.Equal(got, want) {
		t.Errorf("regions\n got %q\nwant %q", got, want)
	}
}

// A system without NX bits runs what can be read, and says so of whole modules.
func TestExecutable(t *testing.T) {
	b := dump.New().System(dump.X86, dump.Linux, "")
	b.Module(dump.Module{Base: 0x1000, Size: 0x3000, Name: "/bin/app"})
	b.Module(dump.Module{Base: 0x8000, Size: 0x2000, Name: "/lib/without.so"})
	b.Stream(uint32(minidump.LinuxMapsStream), b.Section().Text("1000-2000 r--p 0 08:01 1 /bin/app\n2000-3000 r-xp 0 08:01 1 /bin/app\n"+
		"3000-4000 rw-p 0 08:01 1 /bin/app\n8000-a000 r--p 0 08:01 2 /lib/without.so\nb000-c000 r-xp 0 00:00 0 [vdso]\n"))
	s, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64][2]bool{
		0x1fff: {false, true}, 0x2000: {true, true}, 0x2fff: {true, true}, 0x3000: {false, true},
		0x5000: {false, false},                         // no region
		0x8000: {false, false}, 0x9fff: {false, false}, // nothing of this module is executable, and its code must be
		0xb000: {true, true},
	} {
		if executable, known := s.executable(addr); executable != want[0] || known != want[1] {
			t.Errorf("%#x: %v, %v, want %v", addr, executable, known, want)
		}
	}
}
