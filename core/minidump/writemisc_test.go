package minidump

import (
	"strings"
	"testing"

	"crashglass/core/testkit/expect"
)

// The first version that has room is written, and its size where none is given.
func TestWriteMiscInfo(t *testing.T) {
	one, integrity, execute := uint32(1), Integrity(0x2000), ExecuteFlags(13)
	zone := TimeZone{2, -60, "CET", SystemTime{0, 10, 1, 5, 3, 4, 5, 6}, 7, "CEST", SystemTime{8, 9, 10, 11, 12, 13, 14, 15}, -8}
	xstate := XState{1, 2, 1<<63 | 5, []XStateFeature{{0, 3, 4}, {2, 5, 6}, {63, 7, 8}}}
	tests := map[string]struct {
		misc MiscInfo
		size uint32
	}{
		"nothing":   {MiscInfo{}, 24},
		"promise":   {MiscInfo{Flags: miscProcessID}, 8},
		"process":   {MiscInfo{Flags: miscProcessID | miscTimes, ProcessID: &one, Times: &ProcessTimes{2, 3, 4}}, 24},
		"power":     {MiscInfo{Flags: miscPower, Power: &PowerInfo{1, 2, 3, 4, 5}}, 44},
		"integrity": {MiscInfo{Flags: miscIntegrity, Integrity: &integrity}, 232},
		"execute":   {MiscInfo{Flags: miscExecuteFlags, ExecuteFlags: &execute}, 232},
		"protected": {MiscInfo{Flags: miscProtected, Protected: &one}, 232},
		"time zone": {MiscInfo{Flags: miscTimeZone, TimeZone: &zone}, 232},
		"build":     {MiscInfo{Flags: miscBuild, BuildString: "ntkrnlmp ü😀"}, 832},
		"debug":     {MiscInfo{Flags: miscBuild, DebugBuild: strings.Repeat("d", 39)}, 832},
		"features":  {MiscInfo{XState: &xstate}, 1364},
		"cookie":    {MiscInfo{Flags: miscCookie, Cookie: &one, XState: &XState{}}, 1364},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bothOrders(t, func(t *testing.T, big bool) {
				w := NewWriter(Header{BigEndian: big})
				w.MiscInfo(&tt.misc)
				f := written(t, w)
				want := tt.misc
				want.Size = tt.size
				compare(t, MiscInfoStream, f, &want, f)
				if size := f.Streams()[0].Size; size != uint64(tt.size) {
					t.Errorf("%d bytes, want %d", size, tt.size)
				}
			})
		})
	}
}

// A size that is given is the dump's own word, and stays.
func TestWriteMiscInfoSize(t *testing.T) {
	w := NewWriter(Header{})
	w.MiscInfo(&MiscInfo{Size: 99})
	same(t, written(t, w).MiscInfo, &MiscInfo{Size: 99})
}

// A text that has no room in its array keeps its terminator.
func TestWriteMiscInfoCut(t *testing.T) {
	w := NewWriter(Header{})
	w.MiscInfo(&MiscInfo{Flags: miscBuild, BuildString: strings.Repeat("b", 300), DebugBuild: strings.Repeat("d", 40)})
	m, err := written(t, w).MiscInfo()
	expect.Error(t, err, "")
	if m.BuildString != strings.Repeat("b", 259) || m.DebugBuild != strings.Repeat("d", 39) {
		t.Errorf("texts of %d and %d", len(m.BuildString), len(m.DebugBuild))
	}
}
