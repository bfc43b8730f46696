package variables

import "testing"

// A container without elements whose memory the process does not have is damaged. A null pointer, Rust's dangling pointer and the end
// of a mapping are none.
func TestNothingNowhere(t *testing.T) {
	const mapped, end = 0x40_0000, 0x41_0000
	for addr, want := range map[uint64]State{0: Known, 8: Known, mapped: Known, end: Known, end + 1: Inconsistent, 0x7fff_0000_0000: Inconsistent} {
		f := frameOf(memory{0x100: words(addr, addr, addr)}, at("v", 0x100, gnuVectorType(long)))
		f.Mapped = func(first, last uint64) bool { return first < end && last >= mapped }
		v := Read(f, Limits{})[0].Values[0]
		if v.State != want || v.Text != "size=0" || (v.Content == Empty) != (want == Known) {
			t.Errorf("%#x: %v %q %v %s", addr, v.State, v.Text, v.Content, v.Why)
		}
	}
}
