package dwarf

import "testing"

// Numbers of variable length: the examples of DWARF 5, tables 7.7 and 7.8 and
// figures C.1 and C.2, and what fits 64 bits only just, or not.
func TestLEB128(t *testing.T) {
	for _, test := range []struct {
		bytes    []byte
		unsigned uint64
		signed   int64
	}{
		{[]byte{2}, 2, 2},
		{[]byte{0x7e}, 126, -2},
		{[]byte{0x7f}, 127, -1},
		{[]byte{0x40}, 64, -64},
		{[]byte{0x3f}, 63, 63},
		{[]byte{0xff, 0}, 127, 127},
		{[]byte{0x81, 0x7f}, 16257, -127},
		{[]byte{0x80, 1}, 128, 128},
		{[]byte{0x80, 0x7f}, 16256, -128},
		{[]byte{0x81, 1}, 129, 129},
		{[]byte{0xff, 0x7e}, 16255, -129},
		{[]byte{0xb9, 0x64}, 12857, -3527},
		{[]byte{0x82, 0x80, 0x80, 0}, 2, 2}, // padded
		{[]byte{0xfe, 0xff, 0xff, 0x7f}, 1<<28 - 2, -2},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1<<64 - 1, -1},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, 1 << 63, -1 << 63},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}, 1<<63 - 1, 1<<63 - 1},
		{[]byte{0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, 5, 5}, // more bits than 64
	} {
		u, s, skip := buffer{b: test.bytes}, buffer{b: test.bytes}, buffer{b: test.bytes}
		if got := u.uleb(); got != test.unsigned || u.bad || u.len() != 0 {
			t.Errorf("% x: %d, want %d", test.bytes, got, test.unsigned)
		}
		if got := s.sleb(); got != test.signed || s.bad || s.len() != 0 {
			t.Errorf("% x: %d, want %d", test.bytes, got, test.signed)
		}
		if skip.skipLEB(); skip.bad || skip.len() != 0 {
			t.Errorf("% x: %d bytes are left", test.bytes, skip.len())
		}
		for n := range len(test.bytes) {
			cut := func() *buffer { return &buffer{b: test.bytes[:n]} }
			for name, read := range map[string]func(r *buffer) bool{
				"uleb": func(r *buffer) bool { return r.uleb() == 0 },
				"sleb": func(r *buffer) bool { return r.sleb() == 0 },
				"skip": func(r *buffer) bool { r.skipLEB(); return true },
			} {
				if r := cut(); !read(r) || !r.bad || r.len() != 0 {
					t.Errorf("%s of % x: %+v", name, test.bytes[:n], r)
				}
			}
		}
	}
}

// Numbers of a size, in either order of bytes. What is truncated is 0, and so is all
// that follows.
func TestFixedNumbers(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for _, test := range []struct {
		name        string
		size        int
		read        func(r *buffer) uint64
		little, big uint64
	}{
		{"u8", 1, func(r *buffer) uint64 { return uint64(r.u8()) }, 0x01, 0x01},
		{"u16", 2, func(r *buffer) uint64 { return uint64(r.u16()) }, 0x0201, 0x0102},
		{"three bytes", 3, func(r *buffer) uint64 { return r.fixed(3) }, 0x030201, 0x010203},
		{"u32", 4, func(r *buffer) uint64 { return uint64(r.u32()) }, 0x04030201, 0x01020304},
		{"u64", 8, func(r *buffer) uint64 { return r.u64() }, 0x0807060504030201, 0x0102030405060708},
		{"word of 1", 1, func(r *buffer) uint64 { return r.word(1) }, 0x01, 0x01},
		{"word of 2", 2, func(r *buffer) uint64 { return r.word(2) }, 0x0201, 0x0102},
		{"word of 4", 4, func(r *buffer) uint64 { return r.word(4) }, 0x04030201, 0x01020304},
		{"word of 8", 8, func(r *buffer) uint64 { return r.word(8) }, 0x0807060504030201, 0x0102030405060708},
	} {
		little, big := buffer{b: data}, buffer{b: data, big: true}
		if got := test.read(&little); got != test.little || little.at != test.size {
			t.Errorf("%s: %#x, want %#x", test.name, got, test.little)
		}
		if got := test.read(&big); got != test.big || big.at != test.size {
			t.Errorf("%s, big-endian: %#x, want %#x", test.name, got, test.big)
		}
		short := buffer{b: data[:test.size-1]}
		if got := test.read(&short); got != 0 || !short.bad || test.read(&short) != 0 {
			t.Errorf("%s, truncated: %#x, %+v", test.name, got, short)
		}
	}
	if r := (buffer{b: data}); r.word(3) != 0 || !r.bad {
		t.Errorf("a word of 3 bytes: %+v", r)
	}
}

// What is not read moves on by its size, never beyond the end.
func TestSkipping(t *testing.T) {
	data := []byte("ab\x00cd")
	for _, test := range []struct {
		name string
		skip func(r *buffer)
		at   int
		bad  bool
	}{
		{name: "none", skip: func(r *buffer) { r.skip(0) }, at: 0},
		{name: "some", skip: func(r *buffer) { r.skip(3) }, at: 3},
		{name: "all", skip: func(r *buffer) { r.skip(5) }, at: 5},
		{name: "more", skip: func(r *buffer) { r.skip(6) }, at: 5, bad: true},
		{name: "more than an int", skip: func(r *buffer) { r.skip(1<<64 - 1) }, at: 5, bad: true},
		{name: "a text", skip: func(r *buffer) { r.skipText() }, at: 3},
		{name: "a text without an end", skip: func(r *buffer) { r.skip(3); r.skipText() }, at: 5, bad: true},
		{name: "bytes", skip: func(r *buffer) { r.take(2) }, at: 2},
		{name: "more bytes", skip: func(r *buffer) { r.take(6) }, at: 5, bad: true},
		{name: "fewer than no bytes", skip: func(r *buffer) { r.take(-1) }, at: 5, bad: true},
	} {
		r := buffer{b: data}
		if test.skip(&r); r.at != test.at || r.bad != test.bad {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

// The length of a unit says how wide its offsets are (section 7.4).
func TestInitialLengths(t *testing.T) {
	for _, test := range []struct {
		bytes  []byte
		n      uint64
		offset uint8
		bad    bool
	}{
		{bytes: []byte{5, 0, 0, 0}, n: 5, offset: 4},
		{bytes: []byte{0xef, 0xff, 0xff, 0xff}, n: 0xffff_ffef, offset: 4},
		{bytes: []byte{0xf0, 0xff, 0xff, 0xff}, n: 0xffff_fff0, offset: 4, bad: true}, // reserved up to 0xfffffffe
		{bytes: []byte{0xfe, 0xff, 0xff, 0xff}, n: 0xffff_fffe, offset: 4, bad: true},
		{bytes: []byte{0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 0, 0, 0, 0}, n: 5, offset: 8},
		{bytes: []byte{0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 0, 0, 0}, n: 0, offset: 8, bad: true},
		{bytes: []byte{5, 0, 0}, n: 0, offset: 4, bad: true},
	} {
		r := buffer{b: test.bytes}
		if n, offset := r.length(); n != test.n || offset != test.offset || r.bad != test.bad {
			t.Errorf("% x: %#x, %d, %v", test.bytes, n, offset, r.bad)
		}
	}
}
