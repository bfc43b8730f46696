package minidump

import (
	"reflect"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func TestMiscInfo(t *testing.T) {
	full := dump.MiscInfo(0x3f7).Build(t)
	if len(full) != 1364 {
		t.Fatalf("the fixture has %d bytes", len(full))
	}
	p := func(v uint32) *uint32 { return &v }
	one := MiscInfo{Size: 1364, Flags: 0x3f7, ProcessID: p(42), Times: &ProcessTimes{1000, 20, 30}}
	two := one
	two.Power = &PowerInfo{3000, 2900, 3100, 2, 1}
	three := two
	three.Integrity, three.ExecuteFlags, three.Protected = (*Integrity)(p(0x2000)), (*ExecuteFlags)(p(13)), p(1)
	three.TimeZone = &TimeZone{
		ID: 2, Bias: -60, Standard: "CET", Daylight: "CEST", DaylightBias: -60,
		StandardDate: SystemTime{0, 10, 0, 5, 3, 0, 0, 0}, DaylightDate: SystemTime{0, 3, 0, 5, 2, 0, 0, 0},
	}
	four := three
	four.BuildString, four.DebugBuild = "ntkrnlmp.exe", "dbghelp.amd64,10.0"
	five := four
	five.Cookie = p(0xc00c1e)
	five.XState = &XState{Size: 528, ContextSize: 2688, Enabled: 7}
	for i := range uint32(3) {
		five.XState.Features = append(five.XState.Features, XStateFeature{Feature(i), i, i + 1})
	}
	for size, want := range map[int]MiscInfo{24: one, 44: two, 232: three, 832: four, 1364: five} {
		m, err := build(t, dump.New().Stream(15, asm.At(0).Bytes(full[:size]))).MiscInfo()
		if err != nil || !reflect.DeepEqual(*m, want) {
			t.Errorf("%d bytes: %v\nhave %+v\nwant %+v", size, err, *m, want)
		}
	}
}

// TestMiscInfoFlags leaves out fields whose flags are not set, and keeps fields before a
// truncation.
func TestMiscInfoFlags(t *testing.T) {
	m, err := build(t, dump.New().Stream(15, dump.MiscInfo(0))).MiscInfo()
	if err != nil || m.ProcessID != nil || m.Times != nil || m.Power != nil || m.TimeZone != nil || m.BuildString != "" || m.Cookie != nil {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = build(t, dump.New().Stream(15, asm.At(0).Bytes(dump.MiscInfo(0x3f7).Build(t)[:30]))).MiscInfo()
	expect.Error(t, err, "minidump: misc info at 0x48: need 4 bytes, have 2")
	if m.ProcessID == nil || *m.ProcessID != 42 || m.Power != nil {
		t.Errorf("cut: %+v", m)
	}
	m, err = build(t, dump.New().BigEndian().Misc(7, 9)).MiscInfo()
	if err != nil || *m.ProcessID != 7 || m.Times.Create != 9 {
		t.Errorf("big-endian: %+v, %v", m, err)
	}
}

func TestBreakpadInfo(t *testing.T) {
	info, err := build(t, dump.New().Breakpad(1, 2)).BreakpadInfo()
	if err != nil || *info.DumpThread != 1 || *info.RequestingThread != 2 {
		t.Errorf("%+v, %v", info, err)
	}
	info, err = build(t, dump.New().Stream(0x47670001, asm.At(0).U32(2, 1, 2))).BreakpadInfo()
	if err != nil || info.DumpThread != nil || *info.RequestingThread != 2 {
		t.Errorf("%+v, %v", info, err)
	}
	_, err = build(t, dump.New().Stream(0x47670001, asm.At(0).U32(3, 1))).BreakpadInfo()
	expect.Error(t, err, "minidump: breakpad info at 0x34: need 4 bytes, have 0")
}

func TestAssertion(t *testing.T) {
	s := asm.At(0)
	dump.Fixed(s, "p != nullptr", 128)
	dump.Fixed(s, "main", 128)
	dump.Fixed(s, "main.cc", 128).U32(7, 1)
	a, err := build(t, dump.New().Stream(0x47670002, s)).Assertion()
	want := Assertion{"p != nullptr", "main", "main.cc", 7, InvalidParameter}
	if err != nil || *a != want {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestException(t *testing.T) {
	b := dump.New()
	b.Exception(dump.Exception{Thread: 5, Code: 0xc000_0005, Flags: 1, Address: 0x1234, Parameters: []uint64{1, 0x10}, Context: []byte("context!")})
	f := build(t, b)
	ex, err := f.Exception()
	if err != nil || ex.ThreadID != 5 || ex.Code != 0xc000_0005 || ex.Flags != 1 || ex.Address != 0x1234 ||
		!reflect.DeepEqual(ex.Parameters, []uint64{1, 0x10}) || ex.Context.Size != 8 {
		t.Errorf("%+v, %v", ex, err)
	}
	lie := asm.At(0).U32(5, 0, 6, 0).U64(0, 0x1234).U32(0xffff_ffff, 0).Zeros(120).U32(8, 32)
	ex, err = build(t, dump.New().Stream(6, lie)).Exception()
	expect.Error(t, err, "minidump: exception at 0x4c: parameter count 4294967295 exceeds 15")
	if len(ex.Parameters) != 15 || ex.Context.RVA != 32 {
		t.Errorf("%+v", ex)
	}
	ex, err = build(t, dump.New().Stream(6, asm.At(0).U32(5, 0, 6, 0).U64(0, 0x1234).U32(2, 0).U64(9))).Exception()
	expect.Error(t, err, "minidump: exception at 0x5c: need 8 bytes, have 0")
	if ex.Address != 0x1234 || ex.Context != (Location{}) || ex.Parameters[0] != 9 {
		t.Errorf("cut: %+v", ex)
	}
}
