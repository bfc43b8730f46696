package write

import (
	"reflect"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// decisive are fields that determine how the others are read; they stay unchanged.
var decisive = map[string]bool{
	"MiscInfo.Flags": true, "XState.Enabled": true, "XStateFeature.Feature": true, "BreakpadInfo.Validity": true,
	"MacCrashRecord.Version": true, "FunctionTable.EntrySize": true, "Counter.Value": true, "Location.Size": true,
}

// filled sets every number in a value to a different one.
func filled(v any) {
	n := uint64(0)
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		n += 0x9e37_79b9_7f4a_7c15 // in all bytes, also the upper ones
		switch {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			fill(v.Elem())
		case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				if !decisive[v.Type().Name()+"."+v.Type().Field(i).Name] {
					fill(v.Field(i))
				}
			}
		case v.CanInt():
			v.SetInt(int64(n))
		case v.CanUint():
			v.SetUint(n)
		}
	}
	fill(reflect.ValueOf(v))
}

// Each number of a stream has a place of its own, and all its bytes are written, in both byte
// orders. Distinct values reveal confused fields that are equal in other dumps.
func TestWriteFilled(t *testing.T) {
	apart := map[minidump.StreamType]bool{ // those whose numbers are places, or depend on the CPU; they have tests of their own
		minidump.RemovedDataStream: true, minidump.ThreadListStream: true, minidump.ModuleListStream: true, minidump.ExceptionStream: true, minidump.SystemInfoStream: true, minidump.Memory64ListStream: true, minidump.MemoryListStream: true,
	}
	f := build(t, dump.Everything(t))
	bothOrders(t, func(t *testing.T, big bool) {
		for _, s := range f.Streams() {
			if apart[s.Type] {
				continue
			}
			v, err := f.Decode(s.Type)
			expect.Error(t, err, "")
			filled(v)
			c := copier{t, f, New(minidump.Header{BigEndian: big})}
			if !c.write(s.Type, v) {
				t.Fatalf("nothing writes a %s", s.Type)
			}
			compare(t, s.Type, f, v, written(t, c.w))
		}
	})
}

// The numbers of a list of counters are as wide as in the structure.
func TestWriteCounters(t *testing.T) {
	some := func(table []format.Field) (list []minidump.Counter) {
		for i, fd := range table {
			v := uint64(i+1) << (8*fd.Width - 16)
			list = append(list, minidump.Counter{Name: fd.Name, Value: v})
		}
		return list
	}
	bothOrders(t, func(t *testing.T, big bool) {
		for _, table := range [][]format.Field{format.VMCounters, format.VMCounters1, format.VMCounters2, format.VMCounters2[:12]} {
			w := New(minidump.Header{BigEndian: big})
			w.ProcessVMCounters(some(table))
			same(t, written(t, w).ProcessVMCounters, some(table))
		}
		for _, table := range [][]format.Field{format.SystemMemory, format.SystemMemory[:7]} {
			w := New(minidump.Header{BigEndian: big})
			w.SystemMemory(some(table))
			same(t, written(t, w).SystemMemory, some(table))
		}
	})
}

// A report keeps its processes and counters in their order; a counter that
// Chromium does not have is left out.
func TestWriteStabilityReport(t *testing.T) {
	process := minidump.StabilityProcess{ID: -1, Counters: []minidump.Counter{{Name: "ProcessHandleCount", Value: 1 << 40}, {Name: "ProcessPrivateUsage", Value: 3}, {Name: "OpenFileDescriptors", Value: 0}}}
	want := minidump.StabilityReport{
		Processes: []minidump.StabilityProcess{process, {ID: 7}},
		System:    []minidump.Counter{{Name: "SystemHandleCount", Value: 300}, {Name: "SystemCommitLimit", Value: 2}},
	}
	given := want
	given.System = append(given.System[:2:2], minidump.Counter{Name: "Unheard", Value: 9})
	w := New(minidump.Header{})
	w.StabilityReport(&given)
	same(t, written(t, w).StabilityReport, &want)
}
