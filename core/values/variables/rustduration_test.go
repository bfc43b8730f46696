package variables

import "testing"

// What `println!("{:?}", Duration::new(secs, nanos))` writes with Rust 1.95.
func TestRustDurations(t *testing.T) {
	duration := inRust(structure("core::time::Duration", 16, member("secs", 0, usize), member("nanos", 8, u32)))
	for _, tt := range []struct {
		secs, nanos uint64
		want        string
	}{
		{0, 0, "0ns"},
		{0, 1, "1ns"},
		{0, 999, "999ns"},
		{0, 1_000, "1µs"},
		{0, 1_500, "1.5µs"},
		{0, 1_000_000, "1ms"},
		{0, 100_000_000, "100ms"},
		{0, 999_999_999, "999.999999ms"},
		{1, 0, "1s"},
		{1, 1, "1.000000001s"},
		{1, 500_000_000, "1.5s"},
		{1<<64 - 1, 999_999_999, "18446744073709551615.999999999s"},
	} {
		v := Read(frameOf(memory{0x100: words(tt.secs, tt.nanos)}, at("d", 0x100, duration)), Limits{})[0].Values[0]
		if v.Text != tt.want {
			t.Errorf("%d s, %d ns: %s, want %s", tt.secs, tt.nanos, v.Text, tt.want)
		}
	}
	v := Read(frameOf(memory{0x100: words(0, 1_000_000_000)}, at("d", 0x100, duration)), Limits{})[0].Values[0]
	if v.Said {
		t.Errorf("a whole second of nanoseconds: %s", v.Text)
	}
}
