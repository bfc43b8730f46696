package capsule

import (
	"bytes"
	"crashglass/core/testkit/symbolsource"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/symbols/formats/breakpad"
	"crashglass/symbols/share/slice"
)

// crash is a dump of a thread in a function of app, and of a module without an ID.
func crash(t testing.TB) []byte {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Module(dump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)})
	b.Module(dump.Module{Base: 0x50_0000, Size: 0x1000, Name: "/opt/plugin"})
	stack := asm.At(0x7000).U64(0x50_0110, 0).Zeros(64)
	b.Thread(dump.Thread{ID: 1, StackBase: 0x7000, Stack: stack.Build(t), Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x40_0110, "rsp": 0x7000})})
	return b.Build(t)
}

// janes are symbols whose paths have the name of a user.
type janes struct{ t testing.TB }

func (j janes) For(m *module.Module) (analyze.Source, report.Symbols) {
	text := "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 " + m.Name() + "\nFILE 0 /home/jane/app.c\nFUNC 100 40 0 f\n100 40 7 0\n"
	f, err := breakpad.Open(bin.NewSource(strings.NewReader(text), int64(len(text))), breakpad.Options{})
	if err != nil {
		j.t.Fatal(err)
	}
	return symbolsource.Bare{Source: f}, report.Symbols{}
}

// The slices of a dump lie under their paths in a symbol store; a module without an ID has none.
func TestSymbols(t *testing.T) {
	for _, tt := range []struct {
		name   string
		k      Capsule
		choice slice.Names
		want   string
	}{
		{"all", Capsule{}, slice.AllNames, "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 app\nINFO CODE_ID 0102030405060708090A0B0C0D0E0F10 app\nFILE 0 /home/jane/app.c\nFUNC 100 40 0 f\n100 11 7 0\n"},
		{"masked", Capsule{Mask: sanitize.NewMasker([]string{"jane"})}, slice.AllNames, "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 app\nINFO CODE_ID 0102030405060708090A0B0C0D0E0F10 app\nFILE 0 /home/user/app.c\nFUNC 100 40 0 f\n100 11 7 0\n"},
		{"none", Capsule{}, slice.NoNames, "MODULE Linux x86_64 0403020106050807090A0B0C0D0E0F100 app\nINFO CODE_ID 0102030405060708090A0B0C0D0E0F10 app\nFUNC 100 40 0 <name withheld>\n"},
	} {
		files, r, err := tt.k.SymbolsOf(crash(t), janes{t}, tt.choice)
		if err != nil || len(files) != 1 || r == nil {
			t.Fatalf("%s: %d files, %v", tt.name, len(files), err)
		}
		if f := files[0]; f.Role != "symbols" || f.Name != "app/0403020106050807090A0B0C0D0E0F100/app.sym" || string(f.Data) != tt.want {
			t.Errorf("%s: %s %s\ngot  %q\nwant %q", tt.name, f.Role, f.Name, f.Data, tt.want)
		}
	}
	var k Capsule
	if _, _, err := k.SymbolsOf([]byte("no dump"), janes{t}, slice.AllNames); err == nil {
		t.Error("symbols of no dump")
	}
}

// Without files that begin as viewer.html's do, or with one that does not end, nothing is written.
func TestBoundsOfViewer(t *testing.T) {
	const file = `<script type="text/plain" data-file="`
	k := Capsule{About: About{Made: "2026-01-02T03:04:05Z"}, Pack: Stored}
	for viewer, want := range map[string]string{
		"":                                     "this is no viewer.html of this program",
		file + `a.js">`:                        "this is no viewer.html of this program",
		file + `a.js"></script>`:               "",
		file + `a.js"></script>` + file + `b"`: "this is no viewer.html of this program",
	} {
		var b bytes.Buffer
		err := k.Write(&b, []byte(viewer))
		if want == "" && (err != nil || !strings.HasSuffix(b.String(), "</script>\n"+viewer)) || want != "" && (err == nil || err.Error() != want || b.Len() > 0) {
			t.Errorf("%q: %q, %v, want %q", viewer, b.String(), err, want)
		}
	}
	example := "<a>\n  " + file + `x.dmp">1</script>` + "\n  " + file + `long/` + strings.Repeat("n", 190) + `.sym">2</script>` + "\n  " + file + `a.dmp.js">3</script><b>`
	var b bytes.Buffer
	if err := k.Write(&b, []byte(example)); err != nil || strings.Contains(b.String(), ">1<") || !strings.Contains(b.String(), ">3</script><b>") || !strings.HasPrefix(b.String(), "<a>\n  <script") {
		t.Errorf("%q, %v", b.String(), err)
	}
}
