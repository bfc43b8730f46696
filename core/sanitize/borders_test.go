package sanitize

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/testkit/dump"
)

// wideBig is UTF-16 with the upper byte first, as Java, the network and big-endian machines write it.
func wideBig(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.BigEndian.AppendUint16(out, u)
	}
	return string(out)
}

// encodings are the forms of a text in memory, with the bytes of each character.
var encodings = map[string]struct {
	of    func(string) string
	width int
}{
	"bytes": {func(s string) string { return s }, 1}, "UTF-16, lower byte first": {wide, 2}, "UTF-16, upper byte first": {wideBig, 2},
}

// kindsIn lists the kinds of secrets in bytes, each once.
func kindsIn(data string) (out []string) {
	for h := range everySecret([]byte(data)) {
		out = append(out, h.kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A secret is found at the first and the last byte of memory, between text and between bytes without
// meaning, at even and odd offsets, in each encoding.
func TestSecretsAtBorders(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLE"
	for name, encoding := range encodings {
		for _, before := range []string{"", "\x00", "\x01", "\xff\xfe", "(", encoding.of("x: "), encoding.of("\x00")} {
			for _, behind := range []string{"", "\x00", "\x01", "\xff", "\xff\xff", "\x00\x00", encoding.of("!"), encoding.of(" x")} {
				data := before + encoding.of(key) + behind
				if got := kindsIn(data); !slices.Contains(got, "an AWS access key") {
					t.Errorf("%s between %q and %q: %q", name, before, behind, got)
				}
				for h := range everySecret([]byte(data)) {
					if h.from < 0 || h.to > len(data) || h.from >= h.to {
						t.Errorf("%s between %q and %q: bytes %d to %d of %d", name, before, behind, h.from, h.to, len(data))
					}
				}
			}
		}
	}
}

// Each form needs its number of characters: one less is no secret, however it is written.
func TestSecretsThatNearlyFit(t *testing.T) {
	for i := range tables().patterns {
		p := &tables().patterns[i]
		filler := byte('Z')
		if !p.of(filler) {
			filler = 'A' // of hexadecimal digits
		}
		if !p.of(filler) {
			t.Fatalf("%s: neither Z nor A is in its alphabet", p.mark)
		}
		fits := p.mark + strings.Repeat(string(filler), p.least)
		for name, encoding := range encodings {
			if got := kindsIn("(" + encoding.of(fits)); !slices.Contains(got, p.kind) {
				t.Errorf("%s in %s: %d characters after the mark are not found", p.mark, name, p.least)
			}
			if got := kindsIn("(" + encoding.of(fits[:len(fits)-1])); slices.Contains(got, p.kind) && !otherPattern(p, fits[:len(fits)-1]) {
				t.Errorf("%s in %s: %d characters after the mark are enough", p.mark, name, p.least-1)
			}
		}
		if p.keep {
			continue
		}
		if got := kindsIn("x" + fits); slices.Contains(got, p.kind) && !otherPattern(p, "x"+fits) {
			t.Errorf("%s: found within a word", p.mark)
		}
	}
}

// otherPattern reports whether another form of the same kind is in a text.
func otherPattern(p *pattern, text string) bool {
	for i := range tables().patterns {
		q := &tables().patterns[i]
		for at := range len(text) {
			if _, ok := q.at([]byte(text), at, 0); ok && q != p && q.kind == p.kind {
				return true
			}
		}
	}
	return false
}

// A name needs its number of characters, too, and a separator.
func TestKeysThatNearlyFit(t *testing.T) {
	for i := range tables().keys {
		k := &tables().keys[i]
		value := strings.Repeat("z", k.least)
		prefix := map[bool]string{true: "?", false: ""}[k.query]
		names := []string{k.name, strings.ToUpper(k.name), strings.ReplaceAll(k.name, "_", ""), strings.ReplaceAll(k.name, "_", "-")}
		if k.env {
			names = []string{"X_" + strings.ToUpper(k.name)}
			for _, no := range []string{k.name, "X_" + k.name, "x_" + strings.ToUpper(k.name), strings.ToUpper(k.name)} {
				if got := kindsIn(no + "=" + value); slices.Contains(got, k.kind) {
					t.Errorf("%s=%s is found", no, value)
				}
			}
		}
		for _, name := range names {
			if got := kindsIn(prefix + name + "=" + value); !slices.Contains(got, k.kind) {
				t.Errorf("%s=%s is not found", name, value)
			}
			if got := kindsIn(prefix + name + "=" + value[1:]); slices.Contains(got, k.kind) {
				t.Errorf("%s=%s is found", name, value[1:])
			}
			for _, no := range []string{name + value, name + "::" + value, name + "==" + value, name + ", " + value} {
				if got := kindsIn(prefix + no); slices.Contains(got, k.kind) {
					t.Errorf("%s is found", no)
				}
			}
		}
		if k.query && slices.Contains(kindsIn(k.name+"="+value), k.kind) {
			t.Errorf("%s=%s is found outside of a query", k.name, value)
		}
	}
}

// Where secrets overlap, each byte of them is masked, and the next one is still found.
func TestSecretsThatOverlap(t *testing.T) {
	const aws, slack = "AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890"
	for in, want := range map[string]string{
		"password=" + aws:                                 "password=[removed]",
		"token=" + slack + " " + aws:                      "token=[removed] [removed]",
		"token: \"" + aws + "\" " + slack:                 "token: \"[removed]\" [removed]",
		slack + ";" + aws:                                 "[removed];[removed]",
		aws + "-" + slack:                                 "[removed]-[removed]",
		"https://a:" + slack + "@h/?token=" + slack:       "https://a:[removed]@h/?token=[removed]",
		"password=password=hunter2":                       "password=[removed]",
		"password=x password=y":                           "password=[removed] password=[removed]",
		"a@b.cd@e.fg":                                     "[removed]@e.fg",
		"a@b.cd,c@d.ef":                                   "[removed],[removed]",
		"mail=jane@example.org&password=x":                "mail=[removed]&password=[removed]",
		"Bearer " + slack + "zz Basic " + aws:             "Bearer [removed] Basic [removed]",
		"password=[removed]":                              "password=[removed]",
		"password=[removed]x":                             "password=[removed]x",
		"-----BEGIN X-----\nabc\n-----END X-----\n" + "(": "[removed](",
	} {
		if got := maskSecrets(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A text of either byte order is a text in a word. With the upper byte first it must fill a word of 8
// bytes, or the machine must be big-endian: "\0p\0a" is also the address 0x61007000.
func TestWideTextInWords(t *testing.T) {
	for _, tt := range []struct {
		word        string
		little, big bool // by the order of the machine
	}{
		{word: wide("pass"), little: true, big: true}, {word: wideBig("pass"), little: true, big: true},
		{word: wide("pa"), little: true, big: true}, {word: wideBig("pa"), big: true},
		{word: wide("pa") + "\x00\x00\x00\x00", little: true, big: true}, {word: wideBig("pa") + "\x00\x00\x00\x00", big: true},
		{word: wideBig("pas") + "\x00\x01"}, {word: wideBig("pas\x7f")}, {word: wideBig("p") + "\x00\x00"},
		{word: "\x00p\x01a\x00s\x00s"}, {word: "password", little: true, big: true}, {word: "\x00\x00\x00\x00"},
	} {
		for order, want := range map[binary.ByteOrder]bool{binary.LittleEndian: tt.little, binary.BigEndian: tt.big} {
			v := uint64(0)
			if b := []byte(tt.word); len(b) == 4 {
				v = uint64(order.Uint32(b))
			} else {
				v = order.Uint64(b)
			}
			if got := isTextNumber(v, len(tt.word), order); got != want {
				t.Errorf("%q in %v: text %t, want %t", tt.word, order, got, want)
			}
		}
	}
}

// A run of nine characters is a text, in each encoding, whatever is around it.
func TestRunsOfText(t *testing.T) {
	for name, encoding := range encodings {
		for _, around := range []string{"\x01", "\xff\xff", "\x80\x01\x02"} {
			long, short := around+encoding.of("ninechars")+around, around+encoding.of("eightchr")+around
			covered := 0
			for _, run := range textIn([]byte(long)) {
				covered += run[1] - run[0]
			}
			if least := 9*encoding.width - 1; covered < least {
				t.Errorf("%s between %q: %d bytes are text, want %d", name, around, covered, least)
			}
			if got := textIn([]byte(short)); got != nil {
				t.Errorf("%s between %q: eight characters are text %v", name, around, got)
			}
		}
	}
}

// memoryOf is the memory of a dump with these ranges, in the order of the file.
func memoryOf(t *testing.T, ranges map[uint64]string) []Secret {
	b := crash(t, stack(nil, nil))
	bases := make([]uint64, 0, len(ranges))
	for base := range ranges {
		bases = append(bases, base)
	}
	slices.Sort(bases)
	for _, base := range bases {
		b.Memory(base, []byte(ranges[base]))
	}
	return Inspect(open(t, b.Build(t))).Secrets
}

// A secret may begin in one captured page and end in the next one. Pages that are apart in memory are
// no text, even when their bytes are side by side in the file.
func TestSecretsAcrossPages(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLE"
	page := func(text string, atEnd bool) string {
		room := strings.Repeat("\x00", 0x1000-len(text))
		if atEnd {
			return room + text
		}
		return text + room
	}
	for name, encoding := range encodings {
		text := encoding.of("(" + key + ")")
		for _, at := range []int{1, 2, 7, 20, len(text) - 2} {
			found := memoryOf(t, map[uint64]string{heapBase: page(text[:at], true), heapBase + 0x1000: page(text[at:], false)})
			if !slices.ContainsFunc(found, func(s Secret) bool { return s.Kind == "an AWS access key" }) {
				t.Errorf("%s, cut at %d: found %+v", name, at, found)
			}
		}
	}
	if found := memoryOf(t, map[uint64]string{heapBase: page(key[:10], true), heapBase + 0x2000: page(key[10:], false)}); len(found) > 0 {
		t.Errorf("pages apart: %+v", found)
	}
}

// A part is captured memory, in the order of the file.
type part struct {
	base uint64
	data string
}

// secretsAt returns where the secrets of these parts are, in order.
func secretsAt(t *testing.T, parts ...part) (at []string) {
	b := crash(t, stack(nil, nil))
	for _, p := range parts {
		b.Memory(p.base, []byte(p.data))
	}
	for _, s := range Inspect(open(t, b.Build(t))).Secrets {
		at = append(at, strings.TrimPrefix(s.Where, "memory at "))
	}
	slices.Sort(at)
	return at
}

// Pages that are adjacent in memory may be apart in the file, as stacks and the memory list are. A
// secret across their border is listed once, and one beside the border not twice.
func TestSecretsAcrossPagesApart(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLE"
	filler := strings.Repeat("\x01", 0x100)
	for name, encoding := range encodings {
		text := encoding.of(key)
		a := strings.IndexByte(text, 'A') // in UTF-16 the address is that of the lower byte
		for _, cut := range []int{1, 7, len(text) / 2, len(text) - 1} {
			border := uint64(heapBase + len(filler) + cut)
			got := secretsAt(t, part{border, text[cut:] + "\x01" + text + filler}, part{heapBase + 0x8000, filler}, part{heapBase, filler + text[:cut]})
			want := []string{fmt.Sprintf("%#x", heapBase+len(filler)+a), fmt.Sprintf("%#x", heapBase+len(filler)+len(text)+1+a)}
			if !slices.Equal(got, want) {
				t.Errorf("%s, cut at %d: %q, want %q", name, cut, got, want)
			}
		}
	}
}

func TestSecretsAcrossSmallPages(t *testing.T) {
	for name, test := range map[string]struct {
		parts []part
		want  []string
	}{
		"a secret in three pages": {
			[]part{{heapBase + 12, "7EXAMPLE"}, {heapBase + 8, "ODNN"}, {heapBase, "AKIAIOSF"}}, []string{"0x55550000"},
		},
		"a password of which enough is in the first page": {
			[]part{{heapBase + 16, "2hunter2"}, {heapBase, " password=hunter"}}, []string{"0x5555000a"},
		},
		"one secret after the other": {
			[]part{{heapBase + 20, "AKIAIOSFODNN7EXAMPLF "}, {heapBase, "AKIAIOSFODNN7EXAMPL."}}, []string{"0x55550014"},
		},
		"a gap of a byte": {
			[]part{{heapBase + 11, "N7EXAMPLE"}, {heapBase, "AKIAIOSFOD"}}, nil,
		},
		"the end of the address space": {
			[]part{{^uint64(0) - 9, "NN7EXAMPLE"}, {^uint64(0) - 19, "AKIAIOSFOD"}}, []string{"0xffffffffffffffec"},
		},
	} {
		if got := secretsAt(t, test.parts...); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func memoryIn(t *testing.T, b *dump.Builder) *process.Memory {
	data := b.Build(t)
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	mem, _ := f.Memory()
	return mem
}

// Ranges of a byte each have as many borders as bytes. What is read around them is no more than the
// file, and nothing where a range goes on in the file.
func TestBordersAreBounded(t *testing.T) {
	b := crash(t, stack(nil, nil))
	for i := range 4000 {
		b.Memory(heapBase+uint64(3999-i), []byte{1})
	}
	mem := memoryIn(t, b)
	for most, want := range map[uint64]int{1 << 30: 3999, 100 * 2 * overlap: 100, 2*overlap - 1: 0} {
		windows := 0
		eachBorder(mem, most, func(uint64, []byte, int) { windows++ })
		if windows != want {
			t.Errorf("%d windows in %d bytes, want %d", windows, most, want)
		}
	}
	mem = memoryIn(t, crash(t, stack(nil, nil)).Memory(heapBase, make([]byte, 8)).Memory(heapBase+8, make([]byte, 8)))
	eachBorder(mem, 1<<30, func(base uint64, _ []byte, _ int) { t.Errorf("a border near %#x", base) })
}

// Memory is searched in pieces that overlap. A secret in the overlap is listed once, and one at each
// side of a border is found.
func TestSecretsAcrossChunks(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLE"
	data := bytes.Repeat([]byte{1}, 2*chunk)
	var want []Secret
	for _, at := range []int{0, chunk - 300, chunk - overlap, chunk - 230, chunk - 100, chunk - 19, chunk + 3, 2*(chunk-overlap) + 100, len(data) - len(key)} {
		copy(data[at:], key)
		want = append(want, Secret{Kind: "an AWS access key", Where: fmt.Sprintf("memory at %#x", heapBase+at)})
	}
	if got := memoryOf(t, map[uint64]string{heapBase: string(data)}); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What the search finds in memory is not in the sanitized dump, in any encoding and at any offset in
// a word.
func TestSecretsDoNotLeave(t *testing.T) {
	const key = "AKIAIOSFODNN7EXAMPLE"
	for name, encoding := range encodings {
		for _, offset := range []int{0, 1, 6} {
			text := encoding.of(key)
			b := crash(t, stack(nil, map[int]string{0x400 + offset: text}))
			r, _ := clean(t, b.Build(t), Options{})
			if bytes.Contains(r.Data, []byte(text)) {
				t.Errorf("%s at %d is in the sanitized dump", name, offset)
			}
			if len(r.Secrets) == 0 || slices.ContainsFunc(r.Secrets, func(s Secret) bool { return s.Stays }) {
				t.Errorf("%s at %d: %+v", name, offset, r.Secrets)
			}
			kept, _ := clean(t, b.Build(t), Options{Memory: true})
			if !bytes.Contains(kept.Data, []byte(text)) || !slices.ContainsFunc(kept.Secrets, func(s Secret) bool { return s.Stays }) {
				t.Errorf("%s at %d, all memory kept: %+v", name, offset, kept.Secrets)
			}
		}
	}
}

// Registers with a text of either byte order are zero in the sanitized dump.
func TestWideTextInRegisters(t *testing.T) {
	for name, encoding := range encodings {
		word := []byte(encoding.of("password")[:8])
		regs := map[string]uint64{"rip": appBase + 0x10, "rsp": stackBase + 0x80, "rbp": stackBase + 0x100, "rsi": binary.LittleEndian.Uint64(word)}
		ctx := dump.New().Context(t, dump.AMD64, regs)
		b := dump.New().System(dump.AMD64, dump.Linux, "")
		b.Thread(dump.Thread{ID: 1, StackBase: stackBase, Stack: stack(nil, nil), Context: ctx})
		b.Module(dump.Module{Base: appBase, Size: 0x1000, Name: "/opt/app", CodeView: dump.BuildID(1, 2, 3)})
		b.Exception(dump.Exception{Thread: 1, Code: 11, Address: 8, Context: ctx})
		data := b.Build(t)
		if r, _ := clean(t, data, Options{}); !bytes.Contains(data, word) || bytes.Contains(r.Data, word) {
			t.Errorf("%s: the register keeps %q", name, word)
		}
	}
}

// A misspelled flag or table of secrets.txt is no table with one flag less.
func TestUnknownFlags(t *testing.T) {
	var keep bool
	for name, read := range map[string]func(){
		"a flag":          func() { flags("keep keeps", map[string]*bool{"keep": &keep}) },
		"a value":         func() { flags("skip=2", map[string]*bool{"keep": &keep}, "words") },
		"a flag's value":  func() { flags("keep=1", map[string]*bool{"keep": &keep}, "words") },
		"a missing value": func() { flags("skip", map[string]*bool{"keep": &keep}, "skip") },
		"a table":         func() { rows("pattern") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			read()
		}()
	}
}
