package minidump

import (
	"reflect"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

func TestCrashpad(t *testing.T) {
	simple := []KeyValue{{"prod", "Chrome"}, {"ver", "1.0"}}
	want := CrashpadInfo{
		Version: 1, ReportID: GUID{0x01234567, 0x89ab, 0xcdef, [8]byte{1, 2, 3, 4, 5, 6, 7, 8}},
		Annotations: simple,
		Modules: []ModuleAnnotations{{
			Module: 3, Version: 1, List: []string{"abort: why", ""}, Simple: simple,
			Objects: []Annotation{{"url", 1, []byte("https://x")}, {"blob", 0x8001, []byte{1, 0, 0xff}}, {"nothing", 1, nil}},
		}},
	}
	info, err := build(t, dump.Crashpad(dump.New(), false)).Crashpad()
	if err != nil || !reflect.DeepEqual(*info, want) {
		t.Errorf("%v\nhave %+v\nwant %+v", err, *info, want)
	}
	want.AddressMask = 0x00ff_ffff_ffff_ffff
	info, err = build(t, dump.Crashpad(dump.New(), true)).Crashpad()
	if err != nil || !reflect.DeepEqual(*info, want) {
		t.Errorf("with address mask: %v\nhave %+v\nwant %+v", err, *info, want)
	}
	if id := info.ReportID.Dashed(); id != "01234567-89ab-cdef-0102-030405060708" {
		t.Errorf("report id %s", id)
	}
	objects := info.Modules[0].Objects
	if text, ok := objects[0].Text(); text != "https://x" || !ok {
		t.Errorf("text %q %v", text, ok)
	}
	if _, ok := objects[1].Text(); ok {
		t.Error("a user-defined value is text")
	}
}

func TestCrashpadDamage(t *testing.T) {
	b := dump.New()
	simple := b.Extra(asm.At(0).U32(2).Ref32(b.UTF8("key")).U32(0xffff_0000).Ref32(b.UTF8("cut")))
	s := dump.Location(asm.At(0).U32(1).Zeros(32), simple).U32(40, 0xffff_0000)
	info, err := build(t, b.Stream(0x43500001, s)).Crashpad()
	if want := []KeyValue{{"key", ""}}; !reflect.DeepEqual(info.Annotations, want) {
		t.Errorf("%q", info.Annotations)
	}
	expect.Error(t, err, "minidump: string at 0xffff0000: 4 bytes reach beyond the end of the file at 0x80; and 2 more defects")
	info, err = build(t, dump.New().Stream(0x43500001, asm.At(0).U32(1).Zeros(16))).Crashpad()
	expect.Error(t, err, "minidump: crashpad info at 0x40: need 4 bytes, have 0")
	if info.Version != 1 {
		t.Errorf("%+v", info)
	}
}

// TestCrashpadAmplification lets every module have the same long list.
func TestCrashpadAmplification(t *testing.T) {
	const n = 500
	b := dump.New()
	objects := asm.At(0).U32(n).Zeros(12 * n)
	label := b.Extra(objects)
	module := b.Extra(dump.Location(asm.At(0).U32(1).U64(0, 0), label))
	links := asm.At(0).U32(n)
	for range n {
		dump.Location(links.U32(0), module)
	}
	s := dump.Location(asm.At(0).U32(1).Zeros(32).U64(0), b.Extra(links))
	data := b.Stream(0x43500001, s).Build(t)
	f, err := Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	allocated := expect.Allocated(func() { _, err = f.Crashpad() })
	if err == nil {
		t.Error("no error")
	}
	if allocated > 64*uint64(len(data)) {
		t.Errorf("%d bytes allocated for a file of %d", allocated, len(data))
	}
}

func TestMacCrashInfo(t *testing.T) {
	record := func(version uint64) *asm.Section {
		s := asm.At(0).U64(0x4d7a0001, version).U64(7, 8, 9)
		return s.Text("/usr/lib/x\x00message\x00signature\x00\x00message2\x00")
	}
	b := dump.New()
	r4, r5, r1 := b.Extra(record(4)), b.Extra(record(5)), b.Extra(record(1))
	cut := b.Extra(asm.At(0).U64(0x4d7a0001, 5).U64(7, 8, 9).Text("/usr/lib/y\x00mess"))
	s := asm.At(0).U32(0x4d7a0001, 4, 40)
	for _, label := range []string{r4, r5, r1, cut} {
		dump.Location(s, label)
	}
	records, err := build(t, b.Stream(0x4d7a0001, s.Zeros(8*16))).MacCrashInfo()
	expect.Error(t, err, "minidump: crash info record at 0x1ff: need a string, have 0 bytes")
	p := func(v uint64) *uint64 { return &v }
	text := process.MacCrashRecord{Module: "/usr/lib/x", Message: "message", Signature: "signature", Message2: "message2"}
	four := text
	four.Version, four.Thread, four.DialogMode = 4, p(7), p(8)
	five := text
	five.Version, five.Thread, five.DialogMode, five.AbortCause = 5, p(7), p(8), p(9)
	last := process.MacCrashRecord{Version: 5, Thread: p(7), DialogMode: p(8), AbortCause: p(9), Module: "/usr/lib/y", Message: "mess"}
	if want := []process.MacCrashRecord{four, five, {Version: 1}, last}; !reflect.DeepEqual(records, want) {
		t.Errorf("have %+v\nwant %+v", records, want)
	}

	_, err = build(t, dump.New().Stream(0x4d7a0001, asm.At(0).U32(0, 0xffff_ffff, 0))).MacCrashInfo()
	expect.Error(t, err, "minidump: moz macos crash info at 0x30: count 4294967295 exceeds 20")
	b = dump.New()
	r5 = b.Extra(record(5))
	_, err = build(t, b.Stream(0x4d7a0001, dump.Location(asm.At(0).U32(0, 1, 30), r5))).MacCrashInfo()
	expect.Error(t, err, "minidump: crash info record at 0x40: strings at 30 lie in the 40 bytes before them")
}

func TestMacBootArgs(t *testing.T) {
	b := dump.New()
	text, err := build(t, b.Stream(0x4d7a0002, asm.At(0).U32(0x4d7a0002).Ref(b.Text("-v debug=0x14e")))).MacBootArgs()
	if err != nil || text != "-v debug=0x14e" {
		t.Errorf("%q, %v", text, err)
	}
	_, err = build(t, dump.New().Stream(0x4d7a0002, asm.At(0).U32(0x4d7a0002).U64(1<<63))).MacBootArgs()
	expect.Error(t, err, "minidump: string at 0x8000000000000000: 4 bytes reach beyond the end of the file at 0x38")
}

func TestStabilityReport(t *testing.T) {
	message := func(tag uint8, body ...uint8) []uint8 { return append([]uint8{tag<<3 | 2, uint8(len(body))}, body...) }
	process := append([]uint8{3 << 3, 0xac, 0x02}, // process_id 300
		append(message(4, message(1, 1<<3, 5, 4<<3, 0x80, 0x01)...), // private usage 5, allocation 128
			message(7, message(2, 1<<3, 9)...)...)...) // handle count 9
	data := append(message(2, process...), message(7, message(1, 1<<3, 100, 2<<3, 50)...)...)
	data = append(data, 9<<3|5, 1, 2, 3, 4, 10<<3|1, 1, 2, 3, 4, 5, 6, 7, 8) // unknown fields
	f := build(t, dump.New().Stream(0x4b6b0002, asm.At(0).Bytes(data)))
	report, err := f.StabilityReport()
	want := StabilityReport{
		Processes: []StabilityProcess{{300, []Counter{{"ProcessPrivateUsage", 5}, {"ProcessAllocationAttempt", 128}, {"ProcessHandleCount", 9}}}},
		System:    []Counter{{"SystemCommitLimit", 100}, {"SystemCommitRemaining", 50}},
	}
	if err != nil || !reflect.DeepEqual(*report, want) {
		t.Errorf("%v\nhave %+v\nwant %+v", err, report, want)
	}
	for _, bad := range [][]byte{{0x80}, {2<<3 | 2, 9}, {1 << 3}, {1<<3 | 1, 0}, {1<<3 | 5, 0}, {1<<3 | 3}, {1<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}} {
		_, err := build(t, dump.New().Stream(0x4b6b0002, asm.At(0).Bytes(bad))).StabilityReport()
		if err == nil {
			t.Errorf("% x is whole", bad)
		}
	}
}
