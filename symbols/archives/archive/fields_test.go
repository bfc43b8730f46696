package archive

import (
	"archive/tar"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestTarNumber reads the fields of tar headers: octal digits of POSIX.1-2017,
// and GNU's binary form, which begins with the byte 0x80.
func TestTarNumber(t *testing.T) {
	for _, tt := range []struct {
		field string
		want  int64
		ok    bool
	}{
		{field: "00000000017\x00", want: 15, ok: true}, {field: "         17 ", want: 15, ok: true},
		{field: "17 \x00\x00\x00", want: 15, ok: true}, {field: "\x00\x0017", want: 15, ok: true},
		{field: "777777777777", want: 1<<36 - 1, ok: true}, // no room for an end
		{field: "00000000018\x00", want: 0}, {field: "-0000000001\x00", want: 0}, {field: "            ", want: 0},
		{field: "\x00\x00\x00\x00", want: 0}, {field: "1 7", want: 0}, {field: "0x17", want: 0},
		{field: "\x80\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01", want: 0x200000001, ok: true},
		{field: "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff", want: 1<<63 - 1, ok: true},
		{field: "\x80\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00", want: 0}, {field: "\x80\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", want: 0},
		{field: "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", want: 0}, // -1
	} {
		if got, ok := tarNumber([]byte(tt.field)); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q: %d, %v, want %d, %v", tt.field, got, ok, tt.want, tt.ok)
		}
	}
}

// TestTarLongNames gives the name of the next member in records: GNU's, or those of pax.
func TestTarLongNames(t *testing.T) {
	for _, tt := range []struct {
		kind byte
		data string
		want string
	}{
		{'L', "a/long/name\x00\x00", "a/long/name"}, {'L', "no end", "no end"}, {'L', "", ""},
		{'x', "12 path=a/b\n", "a/b"}, {'x', "30 mtime=1350244992.023960108\n12 path=a/b\n", "a/b"},
		{'x', "11 path=a/b", "a/b"},                            // without its line end
		{'x', "16 linkpath=a/b\n12 path=c/d\n", "c/d"},         // another key
		{'x', "12 path=a/b\n12 path=c/d\n", "a/b"},             // the first counts here
		{'x', "13 path=a/b\n", ""}, {'x', "99 path=a/b\n", ""}, // longer than the data
		{'x', "2 path=a/b\n", ""}, {'x', "0 path=a/b\n", ""}, // shorter than itself
		{'x', "-5 path=a/b\n", ""}, {'x', "path=a/b\n", ""}, {'x', "12", ""},
		{'x', "3 \n12 path=a/b\n", "a/b"}, // an empty record
	} {
		if got := tarLongName(source([]byte(tt.data)), 0, int64(len(tt.data)), tt.kind); got != tt.want {
			t.Errorf("%c %q: %q, want %q", tt.kind, tt.data, got, tt.want)
		}
	}
	if got := tarLongName(source(make([]byte, 100)), 90, 20, 'L'); got != "" {
		t.Errorf("beyond the end: %q", got)
	}
	long := strings.Repeat("n", maxTarName+1)
	if got := tarLongName(source([]byte(long)), 0, int64(len(long)), 'L'); got != "" {
		t.Errorf("a name of %d bytes is used", len(got))
	}
}

// TestTarDamage lists the members up to where an archive is damaged or truncated.
func TestTarDamage(t *testing.T) {
	whole := tarOf(t, tar.FormatUSTAR, packed{name: "first", data: make([]byte, 600)}, packed{name: "second", data: make([]byte, 10)})
	const second = tarBlock + 2*tarBlock // its header
	for _, tt := range []struct {
		name   string
		change func(b []byte) []byte
		want   string
	}{
		{"whole", func(b []byte) []byte { return b }, "first 600, second 10"},
		{"a bit of the second header flipped", func(b []byte) []byte { b[second] ^= 1; return b }, "first 600"},
		{"truncated in the data of the second", func(b []byte) []byte { return b[:second+tarBlock+4] }, "first 600, second 4"},
		{"truncated before its data", func(b []byte) []byte { return b[:second+tarBlock] }, "first 600, second 0"},
		{"truncated in its header", func(b []byte) []byte { return b[:second+tarBlock-1] }, "first 600"},
		{"truncated in the data of the first", func(b []byte) []byte { return b[:tarBlock+599] }, "first 599"},
		{"without the zeros at the end", func(b []byte) []byte { return b[:second+2*tarBlock] }, "first 600, second 10"},
	} {
		b := tt.change(append([]byte(nil), whole...))
		list, err := listTar(source(b), NewBudget(Limits{}))
		var got []string
		for _, m := range list {
			got = append(got, fmt.Sprintf("%s %d", m.Name, m.Size))
		}
		if s := strings.Join(got, ", "); s != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.name, s, err, tt.want)
		}
	}
}

// TestZstdWindow reads the header of a frame (RFC 8878, 3.1.1.1): the descriptor of
// its window or, of a frame in one segment, the size of its content.
func TestZstdWindow(t *testing.T) {
	head := func(flags byte, rest ...byte) []byte {
		return append(append([]byte{0x28, 0xb5, 0x2f, 0xfd, flags}, rest...), make([]byte, 16)...)
	}
	for _, tt := range []struct {
		name string
		head []byte
		want int64
	}{
		{"1 KiB", head(0, 0x00), 1 << 10}, {"1 KiB and an eighth", head(0, 0x01), 1<<10 + 128}, {"seven eighths more", head(0, 0x07), 1<<10 + 7*128},
		{"8 MiB, of level 19", head(0, 13<<3), 8 << 20}, {"the largest", head(0, 0xff), 1<<41 + 7<<38},
		{"a checksum and a size besides", head(0x84, 10<<3, 1, 2, 3, 4), 1 << 20},
		{"one segment, 4 bytes of size", head(0xa0, 0, 0, 0, 1), 1 << 24},
		{"one segment, 8 bytes of size", head(0xe0, 0, 0, 0, 0, 1), 1 << 32},
		{"one segment, more than can be", head(0xe0, 0, 0, 0, 0, 0, 0, 0, 1), 1 << 40},
		{"one segment behind a dictionary of 1 byte", head(0xa1, 9, 0, 0, 0, 1), 1 << 24},
		{"one segment behind a dictionary of 2 bytes", head(0xa2, 9, 9, 0, 0, 0, 1), 1 << 24},
		{"one segment behind a dictionary of 4 bytes", head(0xa3, 9, 9, 9, 9, 0, 0, 0, 1), 1 << 24},
		{"one segment of at most 64 KiB", head(0x60, 0xff, 0xff), 0}, {"one segment of at most 255 bytes", head(0x20, 0xff), 0},
		{"too short to tell", head(0, 0xff)[:16], 0}, {"just long enough", head(0, 0x00)[:17], 1 << 10},
	} {
		if got := window(Zstd, tt.head); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := window(Gzip, head(0, 0xff)); got != 0 {
		t.Errorf("gzip: %d, want 0", got)
	}
}

// TestXzWindow reads the header of the first block: the dictionary of LZMA2
// (xz-file-format.txt, 5.3.1), behind sizes and other filters.
func TestXzWindow(t *testing.T) {
	head := func(block ...byte) []byte {
		return asm.At(0).Text("\xfd7zXZ\x00").Zeros(6).Bytes(append(block, 0, 0, 0, 0)).Build(t)
	}
	for _, tt := range []struct {
		name string
		head []byte
		want int64
	}{
		{"4 KiB", head(2, 0, 0x21, 1, 0), 4 << 10}, {"6 KiB", head(2, 0, 0x21, 1, 1), 6 << 10}, {"8 MiB, of level 6", head(2, 0, 0x21, 1, 22), 8 << 20},
		{"3 GiB", head(2, 0, 0x21, 1, 39), 3 << 30}, {"4 GiB, or damage", head(2, 0, 0x21, 1, 40), 0},
		{"behind the compressed size", head(2, 0x40, 0x80, 0x01, 0x21, 1, 22), 8 << 20},
		{"behind the size", head(2, 0x80, 0x05, 0x21, 1, 22), 8 << 20},
		{"behind both", head(2, 0xc0, 0x80, 0x01, 0x05, 0x21, 1, 22), 8 << 20},
		{"behind the filter for x86", head(2, 1, 0x04, 0, 0x21, 1, 22), 8 << 20},
		{"behind a filter with 4 bytes of its own", head(2, 1, 0x03, 4, 9, 9, 9, 9, 0x21, 1, 22), 8 << 20},
		{"no LZMA2", head(2, 0, 0x04, 0), 0}, {"a filter longer than the header", head(2, 0, 0x04, 0xff, 0x21, 1, 22), 0},
		{"cut", head()[:13], 0}, {"a size without an end", head(2, 0x40, 0xff, 0xff, 0xff), 0},
	} {
		if got := window(Xz, tt.head); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestParameter reads Content-Disposition (RFC 7578, 4.2): its parameters come in
// any order, quoted or not.
func TestParameter(t *testing.T) {
	for _, tt := range []struct{ value, key, want string }{
		{` form-data; name="dump"; filename="a.dmp"`, "name", "dump"}, {` form-data; name="dump"; filename="a.dmp"`, "filename", "a.dmp"},
		{` form-data; filename="a.dmp"; name="dump"`, "name", "dump"}, {` form-data; filename="name=x"; name="dump"`, "name", "dump"},
		{` form-data; filename="a;name=b"; name=dump`, "name", "dump"}, {`form-data;name=dump;filename=a.dmp`, "name", "dump"},
		{"form-data;\tNAME=dump", "name", "dump"}, {`form-data; name=""`, "name", ""}, {`form-data; name`, "name", ""}, {`form-data`, "name", ""},
		{`name="dump"`, "name", ""}, {`form-data; name="dump`, "name", "dump"}, {`form-data; rename=x; name=y`, "name", "y"}, {"", "name", ""}, {";;;", "name", ""},
	} {
		if got := disposition(tt.value).parameter(tt.key); got != tt.want {
			t.Errorf("%s of %q: %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}

// TestPartHeader reads the headers of a part up to the empty line.
func TestPartHeader(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		size       int
	}{
		{"Content-Disposition: a\r\n\r\ndata", " a", 26}, {"Content-Disposition: a\n\ndata", " a", 24},
		{"content-type: x\r\nCONTENT-DISPOSITION:a\r\n\r\n", "a", 42}, {"Content-Disposition: a\r\nContent-Disposition: b\r\n\r\n", " b", 50},
		{"\r\nContent-Disposition: a\r\n", "", 2}, {"Content-Disposition: a", " a", 22}, {"Content-Disposition:", "", 20}, {"", "", 0},
		{"XContent-Disposition: a\n\n", "", 25},
	} {
		if got, size := partHeader([]byte(tt.text)); string(got) != tt.want || size != tt.size {
			t.Errorf("%q: %q and %d bytes, want %q and %d", tt.text, got, size, tt.want, tt.size)
		}
	}
}

// TestDelimiter finds the line that begins each part, and tells it from what only
// begins like it.
func TestDelimiter(t *testing.T) {
	const part = "\r\nContent-Disposition: form-data; name=a\r\n\r\n"
	long := strings.Repeat("b", maxBoundary)
	for head, want := range map[string]string{
		"--b" + part: "--b", "--b \t" + part: "--b", "--" + long + part: "--" + long, "--" + long + "b" + part: "",
		"--" + part: "", "-b" + part: "", "--b\r\nContent-Type: x\r\n\r\n": "", "--b": "", "": "",
	} {
		if got := string(delimiterOf([]byte(head))); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
	for _, tt := range []struct {
		text   string
		size   int
		closes bool
	}{
		{text: "\n--b\r\nnext", size: 6}, {text: "\n--b\nnext", size: 5}, {text: "\n--b \t\r\n", size: 8},
		{text: "\n--b--\r\n", size: 0, closes: true}, {text: "\n--b--", size: 0, closes: true},
		{text: "\n--bc\r\n", size: 0}, {text: "\n--b", size: 0}, {text: "\n--b" + strings.Repeat(" ", maxPadding) + "\n", size: 0},
		{text: "\n--b" + strings.Repeat(" ", maxPadding-1) + "\n", size: 4 + maxPadding},
	} {
		if size, closes := delimiterSize([]byte(tt.text), []byte("\n--b")); size != tt.size || closes != tt.closes {
			t.Errorf("%q: %d, %v, want %d, %v", tt.text, size, closes, tt.size, tt.closes)
		}
	}
}

// TestUnrealName knows a report by its first name, which zeros follow up to 260 bytes.
func TestUnrealName(t *testing.T) {
	name := func(size uint32, text string, zeros int) []byte {
		return asm.At(0).U32(size).Text(text).Zeros(zeros).Build(t)
	}
	for _, tt := range []struct {
		name string
		b    []byte
		want bool
	}{
		{name: "as it is written", b: name(260, "UE4CC-Windows", 247), want: true}, {name: "behind CR1", b: append([]byte("CR1"), name(260, "a", 259)...), want: true},
		{name: "behind an empty header", b: append([]byte{0, 0, 0, 0}, name(260, "a", 259)...), want: true},
		{name: "no name", b: name(260, "", 260)}, {name: "more behind the zeros", b: name(260, "a\x00b", 257)},
		{name: "too short a field", b: name(259, "a", 259)},
		{name: "the longest field", b: name(maxUnreal, "a", maxUnreal), want: true},
		{name: "too long a field", b: name(maxUnreal+1, "a", maxUnreal)},
		{name: "cut", b: name(260, "a", 258)}, {name: "CR1 alone", b: []byte("CR1")}, {name: "empty"},
	} {
		if got := isUnreal(tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestFill tells pages that repeat 8 bytes from those that are kept.
func TestFill(t *testing.T) {
	for _, tt := range []struct {
		page string
		want bool
	}{
		{page: strings.Repeat("\x00", 64), want: true}, {page: strings.Repeat("12345678", 8), want: true}, {page: "12345678", want: true},
		{page: strings.Repeat("12345678", 7) + "12345679"}, {page: strings.Repeat("1234", 3)}, {page: strings.Repeat("\x00", 63)}, {page: "1234567"}, {page: ""},
	} {
		if _, got := pattern([]byte(tt.page)); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.page, got, tt.want)
		}
	}
}
