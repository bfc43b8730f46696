package lzx

import (
	"encoding/binary"
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// Bits come from words in little-endian order, the highest bit of a word first.
func TestBits(t *testing.T) {
	r := bitReader{}
	r.more([]byte{0x34, 0x12, 0x78, 0x56, 0xbc, 0x9a}) // 0x1234 0x5678 0x9abc
	for _, step := range []struct {
		bits int
		want uint32
	}{
		{4, 0x1}, {8, 0x23}, {0, 0}, {8, 0x45},
		{17, 0x678<<5 | 0x9abc>>11}, // of two words
		{1, 0}, {4, 0x9abc >> 6 & 0xf},
	} {
		if peeked := r.peek(min(step.bits, 16)); step.bits <= 16 && peeked != step.want {
			t.Errorf("%d bits: peeked at %#x, want %#x", step.bits, peeked, step.want)
		}
		if got := r.read(step.bits); got != step.want || r.missing != 0 {
			t.Errorf("%d bits: %#x, want %#x; %d are missing", step.bits, got, step.want, r.missing)
		}
	}
}

// Bits behind the end are zeros, and are counted.
func TestBitsBehindTheEnd(t *testing.T) {
	for _, tt := range []struct {
		data          []byte
		bits          []int
		last          uint32
		missing, left int
	}{
		{nil, []int{1}, 0, 1, 0},
		{[]byte{0xff, 0xff}, []int{16}, 0xffff, 0, 0},
		{[]byte{0xff, 0xff}, []int{12, 16}, 0xf000, 12, 0},
		{[]byte{0xff, 0xff}, []int{16, 3, 5}, 0, 8, 0},
		{[]byte{0xff}, []int{8}, 0, 8, 1}, // half a word is none
		{[]byte{0xff, 0xff, 0xff, 0xff}, []int{1}, 1, 0, 2},
		{[]byte{0xff, 0xff, 0xff, 0xff}, []int{16}, 0xffff, 0, 2},
	} {
		r := bitReader{}
		r.more(tt.data)
		last := uint32(0)
		for _, n := range tt.bits {
			last = r.read(n)
		}
		if last != tt.last || r.missing != tt.missing || r.left() != tt.left {
			t.Errorf("% x: %#x, %d missing, %d left; want %+v", tt.data, last, r.missing, r.left(), tt)
		}
	}
}

// Uncompressed data begin with a word, one bit at least behind what is before.
func TestAlignment(t *testing.T) {
	data := []byte{1, 0x80, 2, 0x80, 3, 4}
	for _, tt := range []struct {
		bits int
		next byte // the first raw byte
	}{{1, 2}, {15, 2}, {16, 3}, {17, 3}} {
		r := bitReader{}
		r.more(data)
		r.read(tt.bits)
		r.alignRaw()
		if got := r.rawByte(); got != tt.next {
			t.Errorf("behind %d bits: %d, want %d", tt.bits, got, tt.next)
		}
	}
	for bits, next := range map[int]uint32{0: 0x8001, 1: 0x8002, 15: 0x8002, 16: 0x8002, 17: 0x0403} {
		r := bitReader{}
		r.more(data)
		r.read(bits)
		r.align()
		if got := r.read(16); got != next {
			t.Errorf("aligned behind %d bits: %#x, want %#x", bits, got, next)
		}
	}
	r := bitReader{}
	if r.rawByte() != 0 || r.missing != 8 {
		t.Errorf("a byte of nothing: %d bits are missing", r.missing)
	}
}

// What is not read goes on before more input.
func TestMoreInput(t *testing.T) {
	r := bitReader{}
	r.more([]byte{0x34, 0x12, 0x78, 0x56})
	r.read(16)
	r.peek(1) // fetches the second word
	r.more([]byte{0xbc, 0x9a})
	if got := r.read(16)<<16 | r.read(16); got != 0x5678_9abc || r.left() != 0 {
		t.Errorf("%#x, %d bytes left", got, r.left())
	}
}

// Codes of one length follow one another in the order of symbols, and those of
// more bits follow the shorter ones (RFC 1951, 3.2.2, has the same codes).
func TestTrees(t *testing.T) {
	type read struct {
		bits   string
		symbol int
	}
	for _, tt := range []struct {
		name    string
		lengths lengths
		codes   []read
	}{
		{"of RFC 1951", lengths{3, 3, 3, 3, 3, 2, 4, 4}, []read{{"010", 0}, {"011", 1}, {"100", 2}, {"101", 3}, {"110", 4}, {"00", 5}, {"1110", 6}, {"1111", 7}}},
		{"with gaps", lengths{0, 1, 0, 2, 2}, []read{{"0", 1}, {"10", 3}, {"11", 4}}},
		{"one code", lengths{0, 0, 1}, []read{{"0", 2}}},
		{"beyond the table", lengths{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16},
			[]read{{"0", 0}, {"1111111110", 9}, {"11111111110", 10}, {"1111111111111110", 15}, {"1111111111111111", 16}}},
	} {
		var tree tree
		if err := tree.build(tt.lengths); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, c := range tt.codes {
			r := bitsOf(c.bits + "01")
			symbol, err := tree.read(r)
			if err != nil || symbol != c.symbol || r.read(2) != 1 {
				t.Errorf("%s: %s is %d, %v; want %d", tt.name, c.bits, symbol, err, c.symbol)
			}
		}
	}
}

// bitsOf is a reader of bits that are written as text.
func bitsOf(text string) *bitReader {
	var words []byte
	for i := 0; i < len(text); i += 16 {
		var word uint16
		for k := range 16 {
			if word <<= 1; i+k < len(text) && text[i+k] == '1' {
				word |= 1
			}
		}
		words = binary.LittleEndian.AppendUint16(words, word)
	}
	r := &bitReader{}
	r.more(words)
	return r
}

// Codes that bits do not allow are no tree; a code that no symbol has is none.
func TestBadTrees(t *testing.T) {
	for _, l := range []lengths{{1, 1, 1}, {1, 2, 2, 2}, {2, 2, 2, 2, 16}, {16, 1, 1}} {
		var tree tree
		if err := tree.build(l); err != errTree {
			t.Errorf("%v: %v", l, err)
		}
	}
	for bits, l := range map[string]lengths{"1": {1}, "11": {2, 2, 2}, "0": {}, "1111111111111111": {11}} {
		var tree tree
		if err := tree.build(l); err != nil {
			t.Errorf("%v: %v", l, err)
		}
		if symbol, err := tree.read(bitsOf(bits)); err != errCode {
			t.Errorf("%v: %s is %d, %v", l, bits, symbol, err)
		}
	}
}

// Offsets of matches come in slots, each pair with a bit more than the last; the
// table is that of [MS-PATCH] 2.4.
func TestSlots(t *testing.T) {
	for slot, want := range map[int]struct{ at, bits uint32 }{
		0: {0, 0}, 1: {1, 0}, 2: {2, 0}, 3: {3, 0}, 4: {4, 1}, 5: {6, 1}, 6: {8, 2}, 7: {12, 2}, 8: {16, 3}, 9: {24, 3}, 10: {32, 4}, 11: {48, 4},
		20: {1024, 9}, 21: {1536, 9}, 30: {32768, 14}, 35: {196608, 16}, 36: {262144, 17}, 37: {393216, 17}, 38: {524288, 17}, 49: {1966080, 17},
	} {
		if positions[slot] != want.at || extraBits(slot) != int(want.bits) {
			t.Errorf("slot %d: %d and %d bits, want %+v", slot, positions[slot], extraBits(slot), want)
		}
	}
}

// A match of a recent offset makes it the most recent one; another one pushes
// the last out.
func TestRecentOffsets(t *testing.T) {
	for slot, want := range map[int][3]uint32{0: {10, 20, 30}, 1: {20, 10, 30}, 2: {30, 20, 10}, 3: {1, 10, 20}} {
		d, err := open(15)
		if err != nil {
			t.Fatal(err)
		}
		d.recent = [3]uint32{10, 20, 30}
		if got, err := d.offset(slot); err != nil || d.recent != want || got != want[0] {
			t.Errorf("slot %d: %d, %v, %v; want %v", slot, got, d.recent, err, want)
		}
	}
}

// A match repeats what came before, also what it writes itself, and not more
// than there is.
func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		offset uint32
		length int
		want   string
	}{
		{3, 3, "abcabc"},
		{1, 4, "abccccc"},
		{2, 5, "abcbcbcb"},
		{0, 2, "a match is 0 bytes back, of 3"},
		{4, 2, "a match is 4 bytes back, of 3"},
		{1 << 31, 2, "a match is 2147483648 bytes back, of 3"},
		{3, 98, "a match of 98 bytes leads beyond its block or frame, which has 97 more"},
	} {
		d, err := open(15)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []byte("abc") {
			d.put(c)
		}
		got := fmt.Sprint(d.repeat(tt.offset, tt.length, 100))
		if got == "<nil>" {
			got = string(d.window[:d.done])
		}
		if got != tt.want {
			t.Errorf("%d bytes from %d back: %s, want %s", tt.length, tt.offset, got, tt.want)
		}
	}
}

// Operands of calls that were made positions are distances again, in a file of
// 0x1000 bytes; the last ten bytes of a frame are no calls.
func TestCalls(t *testing.T) {
	call := func(operand int32) []byte {
		return asm.At(0).U8(callCode).U32(uint32(operand)).Zeros(20).Build(t)
	}
	for _, tt := range []struct {
		name           string
		start          int64
		operand, wants int32
	}{
		{"a position", 0x100, 0x300, 0x200},
		{"one before", 0x100, 0x80, -0x80},
		{"the first", 0x100, 0, -0x100},
		{"the last", 0x100, 0xfff, 0xeff},
		{"beyond the file", 0x100, 0x1000, 0x1000},
		{"a distance back beyond the file's begin", 0x100, -0x80, 0xf80},
		{"the farthest", 0x100, -0x100, 0xf00},
		{"farther", 0x100, -0x101, -0x101},
		{"behind the frames that are translated", callFrames * MaxFrame, 0x300, 0x300},
	} {
		d := &Decoder{codeSize: 0x1000}
		out := call(tt.operand)
		d.restoreCalls(out, tt.start)
		if got := int32(binary.LittleEndian.Uint32(out[1:])); got != tt.wants {
			t.Errorf("%s: %#x, want %#x", tt.name, got, tt.wants)
		}
	}
	for n, translated := range map[int]bool{10: false, 11: true} {
		out := call(0x300)[:max(n, 5)]
		(&Decoder{codeSize: 0x1000}).restoreCalls(out, 0x100)
		if got := binary.LittleEndian.Uint32(out[1:]) != 0x300; got != translated {
			t.Errorf("a frame of %d bytes: translated %v", n, got)
		}
	}
	out := call(0x300)
	(&Decoder{}).restoreCalls(out, 0x100)
	if binary.LittleEndian.Uint32(out[1:]) != 0x300 {
		t.Error("a stream without a size of code has calls")
	}
}

// Lengths of codes are differences from those before, modulo 17, and runs.
func TestLengths(t *testing.T) {
	// A tree of four symbols: 2 (a difference of 2), 17, 18 and 19, of two bits each.
	head := ""
	for symbol := range deltaSymbols {
		if symbol == 2 || symbol >= 17 {
			head += "0010"
		} else {
			head += "0000"
		}
	}
	const two, zeros17, zeros18, alike19 = "00", "01", "10", "11"
	for _, tt := range []struct {
		name   string
		bits   string
		before uint8
		n      int
		want   string
	}{
		{"differences", two + two, 5, 2, "[3 3]"},
		{"one below 0 wraps", two + two, 1, 2, "[16 16]"},
		{"four without", zeros17 + "0000", 5, 4, "[0 0 0 0]"},
		{"six without", zeros17 + "0010", 5, 6, "[0 0 0 0 0 0]"},
		{"twenty without and one more", zeros18 + "00000" + two, 3, 21, "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1]"},
		{"four alike", alike19 + "0" + two, 9, 4, "[7 7 7 7]"},
		{"five alike", alike19 + "1" + two, 9, 5, "[7 7 7 7 7]"},
		{"a run beyond the tree", zeros17 + "0000", 5, 3, "lengths of codes reach beyond their tree"},
		{"runs of runs", alike19 + "0" + zeros17, 5, 4, "lengths of codes reach beyond their tree"},
	} {
		d := &Decoder{in: *bitsOf(head + tt.bits)}
		l := make(lengths, tt.n)
		for i := range l {
			l[i] = tt.before
		}
		err := l.read(d)
		got := fmt.Sprint([]uint8(l))
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
