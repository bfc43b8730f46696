package write

import (
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/testkit/expect"
)

// The first version that has room is written, and its size where none is given.
func TestWriteMiscInfo(t *testing.T) {
	one, integrity, execute := uint32(1), minidump.Integrity(0x2000), minidump.ExecuteFlags(13)
	zone := minidump.TimeZone{ID: 2, Bias: -60, Standard: "CET", StandardDate: minidump.SystemTime{Year: 0, Month: 10, Weekday: 1, Day: 5, Hour: 3, Minute: 4, Second: 5, Milliseconds: 6}, StandardBias: 7, Daylight: "CEST", DaylightDate: minidump.SystemTime{Year: 8, Month: 9, Weekday: 10, Day: 11, Hour: 12, Minute: 13, Second: 14, Milliseconds: 15}, DaylightBias: -8}
	xstate := minidump.XState{Size: 1, ContextSize: 2, Enabled: 1<<63 | 5, Features: []minidump.XStateFeature{{Feature: 0, Offset: 3, Size: 4}, {Feature: 2, Offset: 5, Size: 6}, {Feature: 63, Offset: 7, Size: 8}}}
	tests := map[string]struct {
		misc minidump.MiscInfo
		size uint32
	}{
		"nothing":   {minidump.MiscInfo{}, 24},
		"promise":   {minidump.MiscInfo{Flags: format.MiscProcessID}, 8},
		"process":   {minidump.MiscInfo{Flags: format.MiscProcessID | format.MiscTimes, ProcessID: &one, Times: &minidump.ProcessTimes{Create: 2, User: 3, Kernel: 4}}, 24},
		"power":     {minidump.MiscInfo{Flags: format.MiscPower, Power: &minidump.PowerInfo{MaxMHz: 1, CurrentMHz: 2, LimitMHz: 3, MaxIdle: 4, CurrentIdle: 5}}, 44},
		"integrity": {minidump.MiscInfo{Flags: format.MiscIntegrity, Integrity: &integrity}, 232},
		"execute":   {minidump.MiscInfo{Flags: format.MiscExecuteFlags, ExecuteFlags: &execute}, 232},
		"protected": {minidump.MiscInfo{Flags: format.MiscProtected, Protected: &one}, 232},
		"time zone": {minidump.MiscInfo{Flags: format.MiscTimeZone, TimeZone: &zone}, 232},
		"build":     {minidump.MiscInfo{Flags: format.MiscBuild, BuildString: "ntkrnlmp ü😀"}, 832},
		"debug":     {minidump.MiscInfo{Flags: format.MiscBuild, DebugBuild: strings.Repeat("d", 39)}, 832},
		"features":  {minidump.MiscInfo{XState: &xstate}, 1364},
		"cookie":    {minidump.MiscInfo{Flags: format.MiscCookie, Cookie: &one, XState: &minidump.XState{}}, 1364},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bothOrders(t, func(t *testing.T, big bool) {
				w := New(minidump.Header{BigEndian: big})
				w.wholeMiscInfo(&tt.misc)
				if miscVersion(&tt.misc) <= 2 { // as programs write it
					w = New(minidump.Header{BigEndian: big})
					w.MiscInfo(&tt.misc)
				}
				f := written(t, w)
				want := tt.misc
				want.Size = tt.size
				compare(t, minidump.MiscInfoStream, f, &want, f)
				if size := f.Streams()[0].Size; size != uint64(tt.size) {
					t.Errorf("%d bytes, want %d", size, tt.size)
				}
			})
		})
	}
}

// A size that is given is the dump's own word, and stays.
func TestWriteMiscInfoSize(t *testing.T) {
	w := New(minidump.Header{})
	w.MiscInfo(&minidump.MiscInfo{Size: 99})
	same(t, written(t, w).MiscInfo, &minidump.MiscInfo{Size: 99})
}

// A text that has no room in its array keeps its terminator.
func TestWriteMiscInfoCut(t *testing.T) {
	w := New(minidump.Header{})
	w.wholeMiscInfo(&minidump.MiscInfo{Flags: format.MiscBuild, BuildString: strings.Repeat("b", 300), DebugBuild: strings.Repeat("d", 40)})
	m, err := written(t, w).MiscInfo()
	expect.Error(t, err, "")
	if m.BuildString != strings.Repeat("b", 259) || m.DebugBuild != strings.Repeat("d", 39) {
		t.Errorf("texts of %d and %d", len(m.BuildString), len(m.DebugBuild))
	}
}
