package sanitize

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

const (
	stackBase = 0x7ffe_0000
	appBase   = 0x40_0000
	heapBase  = 0x5555_0000
)

// stack is 8 KiB with a chain of two frame records, and what a test puts into it.
func stack(words map[int]uint64, texts map[int]string) []byte {
	data := make([]byte, 8<<10)
	put := func(off int, v uint64) { binary.LittleEndian.PutUint64(data[off:], v) }
	put(0x100, stackBase+0x200) // the caller's rbp
	put(0x108, appBase+0x150)   // and where it goes on
	put(0x200, 0)
	put(0x208, 0)
	for off, v := range words {
		put(off, v)
	}
	for off, text := range texts {
		copy(data[off:], text)
	}
	return data
}

func crash(t testing.TB, stack []byte) *dump.Builder {
	ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100})
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, Name: "main", StackBase: stackBase, Stack: stack, Context: ctx})
	b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/home/mallory/app", CodeView: dump.BuildID(1, 2, 3)})
	b.Exception(dump.Exception{Thread: 1, Code: 11, Address: 8, Context: ctx})
	return b
}

func clean(t testing.TB, data []byte, opt Options) (*Result, *minidump.File) {
	t.Helper()
	s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Clean(s, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(r.Data), int64(len(r.Data))))
	if err != nil {
		t.Fatal(err)
	}
	return r, f
}

func TestWords(t *testing.T) {
	_, f := clean(t, crash(t, stack(map[int]uint64{
		0x90:   0x1122_3344_5566_7788, // a number
		0x98:   appBase + 0x20,        // code
		0xa0:   appBase + 0x1000,      // behind a call at the end of the module
		0xa8:   stackBase + 0x300,     // a pointer to the stack
		0xb0:   heapBase,              // a pointer to elsewhere
		0x1ff8: 7,                     // far above
	}, map[int]string{0xc0: "a text of the program"})).Build(t), Options{})
	m, err := f.Memory()
	if err != nil {
		t.Fatal(err)
	}
	for off, want := range map[uint64]uint64{
		0x90: 0, 0x98: appBase + 0x20, 0xa0: appBase + 0x1000, 0xa8: stackBase + 0x300, 0xb0: 0, 0xc0: 0, 0xc8: 0, 0xd0: 0,
		0x100: stackBase + 0x200, 0x108: appBase + 0x150,
	} {
		if got, ok := m.Placeholders().Word(stackBase+off, 8); !ok || got != want {
			t.Errorf("word at %#x is %#x, %v, want %#x", off, got, ok, want)
		}
		if got, ok := m.Word(stackBase+off, 8); ok != (want != 0) {
			t.Errorf("word at %#x is said to be %#x, %v", off, got, ok)
		}
	}
	if _, _, ok := m.Range(stackBase + 0x1ff8); ok {
		t.Error("the end of the stack, which nothing needs, is still there")
	}
}

func TestKeepMemory(t *testing.T) {
	_, f := clean(t, crash(t, stack(map[int]uint64{0x90: 42, 0x1ff8: 7}, nil)).Build(t), Options{Memory: true, Names: true})
	m, _ := f.Memory()
	for off, want := range map[uint64]uint64{0x90: 42, 0x1ff8: 7} {
		if got, _ := m.Word(stackBase+off, 8); got != want {
			t.Errorf("word at %#x is %d, want %d", off, got, want)
		}
	}
	mods, _ := f.Modules()
	if mods[0].CodeFile != "/home/mallory/app" {
		t.Errorf("the module is %s", mods[0].CodeFile)
	}
}

// planted are secrets, none of which may be in the new dump.
var planted = []string{
	"AKIAIOSFODNN7EXAMPLE", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "xoxb-1234567890-abcdefghij",
	"AIzaSyA1234567890abcdefghijklmnopqrstuv", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "glpat-abcdefghij0123456789",
	"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2ln", "hunter2-the-password", "correct horse battery staple",
	"mallory", "MALLORYS-LAPTOP", "/srv/payroll/2026.xlsx", "-----BEGIN RSA PRIVATE KEY-----", "4111 1111 1111 1111",
	"mallory@example.org", "192.0.2.77", "--token=abcdef0123456789", "GrantTable-Mallory", "note to self: resign", "SELECT iban FROM accounts",
}

// secretive is a dump with each secret in several places.
func secretive(t testing.TB) []byte {
	all := strings.Join(planted, "\x00")
	texts := map[int]string{0x400: all, 0x1000: all}
	off := 0x800
	for _, s := range planted {
		texts[off] = wide(s)
		off += 2*len(s) + 2
	}
	b := crash(t, stack(nil, texts))
	b.Memory(heapBase, []byte(all)).Memory(appBase+0x800, []byte(all))
	b.Stream(10, asm.At(0).Text(all)).Stream(11, asm.At(0).UTF16(all))
	b.Stream(0x47670006, asm.At(0).Text("/home/mallory/app\x00--token=abcdef0123456789\x00"))
	b.Stream(0x47670007, asm.At(0).Text("USER=mallory\x00HOSTNAME=MALLORYS-LAPTOP\x00SECRET="+planted[7]+"\x00"))
	b.Stream(0x47670009, asm.At(0).Text("400000-401000 r-xp 0 00:00 0 /home/mallory/app\n"))
	b.Stream(0x47670004, asm.At(0).Text("Name:\tapp\nUid:\t1000\n"))
	b.Name(1, "worker of mallory "+planted[1])
	b.Unloaded(dump.Module{Base: 0x90_0000, Size: 0x1000, Name: `C:\Users\mallory\plugin.dll`})
	b.Stream(12, asm.At(0).U32(16, 40, 1, 0).U64(4).Ref32(b.Text("File")).Ref32(b.Text("/srv/payroll/2026.xlsx")).U32(0, 0, 1, 1).U32(0, 0))
	return b.Build(t)
}

func wide(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

func TestPlanted(t *testing.T) {
	data := secretive(t)
	r, _ := clean(t, data, Options{})
	for _, s := range planted {
		for form, text := range map[string]string{"ASCII": s, "UTF-16": wide(s)} {
			if !bytes.Contains(data, []byte(text)) {
				t.Errorf("%q was not planted as %s", s, form)
			}
			if bytes.Contains(r.Data, []byte(text)) {
				t.Errorf("%q is still there as %s", s, form)
			}
		}
	}
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	if !slices.Equal(r.People, []string{"MALLORYS-LAPTOP", "mallory"}) {
		t.Errorf("people: %q", r.People)
	}
	for _, kind := range []string{"an AWS access key", "a GitHub token", "a Slack token", "a Google API key", "a Stripe key", "a GitLab token", "a JSON web token", "a private key", "a token"} {
		if !slices.ContainsFunc(r.Secrets, func(s Secret) bool { return s.Kind == kind && !s.Stays }) {
			t.Errorf("%s was not found", kind)
		}
	}
	for _, what := range []string{"the environment", "the command line", "a comment", "handles with the names of files, keys and pipes", "memory that no stack needs"} {
		if !slices.ContainsFunc(r.Removed, func(x Removal) bool { return x.What == what }) {
			t.Errorf("nobody says that %s is removed: %+v", what, r.Removed)
		}
	}
}

// TestEveryStream cleans a dump with a stream of each kind, whole and cut at
// every 61st byte: there is a dump, or an error.
func TestEveryStream(t *testing.T) {
	whole := dump.Everything(t).Build(t)
	r, f := clean(t, whole, Options{})
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	if err := f.Damage(); err != nil {
		t.Error(err)
	}
	for n := 0; n < len(whole); n += 61 {
		s, err := analyze.Open(bin.NewSource(bytes.NewReader(whole[:n]), int64(n)))
		if err != nil {
			continue
		}
		if _, err := Clean(s, nil, Options{}); err != nil {
			t.Errorf("cut at %#x: %v", n, err)
		}
	}
}

func TestMicrodump(t *testing.T) {
	text := "-----BEGIN BREAKPAD MICRODUMP-----\nO L 64 00 x86_64 \n-----END BREAKPAD MICRODUMP-----\n"
	all, err := analyze.OpenAll(bin.NewSource(strings.NewReader(text), int64(len(text))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Clean(all[0], nil, Options{}); !errors.Is(err, ErrMicrodump) {
		t.Errorf("got %v", err)
	}
}

func TestMasks(t *testing.T) {
	m := masks{people: []string{"mallory", "al"}}
	for text, want := range map[string]string{
		"/home/bob/x.so":                            "/home/user/x.so",
		`C:\Users\Bob Smith\AppData\x.dll`:          `C:\Users\user\AppData\x.dll`,
		`c:\users\BOB\x.dll`:                        `c:\users\user\x.dll`,
		"/Users/Shared/x":                           "/Users/Shared/x",
		"/home/":                                    "/home/",
		"a /home/bob and /Users/eve/b":              "a /home/user and /Users/user/b",
		"worker of mallory":                         "worker of user",
		"also":                                      "also", // a short name is part of words
		"Authorization: Bearer abcdefghijklmnop":    "Authorization: Bearer [removed]",
		"PASSWORD=x&user=y":                         "PASSWORD=[removed]&user=y",
		"postgres://app:s3cret@db/x":                "postgres://app:[removed]@db/x",
		"http://host:8080/x":                        "http://host:8080/x",
		"xAKIAIOSFODNN7EXAMPLE":                     "xAKIAIOSFODNN7EXAMPLE",
		"AKIAIOSFODNN7EXAMPLE,AKIAIOSFODNN7SECONDS": "[removed],[removed]",
		"libsk-plugin.so":                           "libsk-plugin.so",
	} {
		if got := m.text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestTextIn(t *testing.T) {
	data := []byte("\x00\x01nine char\xffshort\x00" + wide("nine wide!") + "\x00")
	got := textIn(data)
	if want := (texts{{2, 11}, {18, 38}}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, tt := range []struct {
		off  int
		want bool
	}{{off: 0, want: true}, {off: 8}, {off: 16, want: true}, {off: 32, want: true}, {off: 38}} {
		if got.overlaps(tt.off, 8) != tt.want {
			t.Errorf("a word at %d: %v, want %v", tt.off, !tt.want, tt.want)
		}
	}
}

// TestMadeCode keeps the instruction that crashed where it is in no module, as
// that of a just-in-time compiler, and nothing around it.
func TestMadeCode(t *testing.T) {
	code := append([]byte{0x48, 0x89, 0x08}, bytes.Repeat([]byte{0xaa}, 61)...) // mov %rcx, (%rax)
	ctx := dump.New().Context(t, dump.AMD64, map[string]uint64{"rip": heapBase, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100})
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
	b.Memory(heapBase, code)
	b.Exception(dump.Exception{Thread: 1, Code: 11, Flags: 1, Address: 0, Context: ctx})
	r, f := clean(t, b.Build(t), Options{})
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	m, _ := f.Memory()
	if got := m.Read(heapBase, make([]byte, 64)); got < 3 || got > 16 {
		t.Errorf("%d bytes of the code are there, want those of an instruction", got)
	}
}
