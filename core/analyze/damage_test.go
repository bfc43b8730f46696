package analyze

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/report"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/sample"
)

// A victim is a dump with every stream, one of which gets damaged.
type victim struct {
	data   []byte
	whole  map[string]any
	stream minidump.Stream
	entry  int // offset of its directory entry
}

// victims has one for each stream of the dump.
func victims(t *testing.T) []victim {
	data := dump.Everything(t).Build(t)
	f, err := minidump.Open(source(data))
	if err != nil {
		t.Fatal(err)
	}
	whole := sections(mustReport(t, data))
	var out []victim
	for i, s := range f.Streams() {
		out = append(out, victim{slices.Clone(data), whole, s, 32 + 12*i})
	}
	return out
}

func mustReport(t *testing.T, data []byte) *report.Report {
	t.Helper()
	r, err := Dump(source(data), nil, Options{})
	if err != nil {
		t.Fatalf("no report: %v", err)
	}
	return r
}

// sections splits a report into its top-level fields, by their names in JSON. It leaves out the
// hash, which changes with every byte.
func sections(r *report.Report) map[string]any {
	r.Dump.Hash = nil
	out := map[string]any{}
	for v, i := reflect.ValueOf(r).Elem(), 0; i < v.NumField(); i++ {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		out[name] = v.Field(i).Interface()
	}
	return out
}

// belongs has the fields of a report that a damaged stream may change, besides the notes and the
// list of streams. All others must stay unchanged. Next steps depend on the verdict and the
// modules.
var belongs = map[minidump.StreamType][]string{
	minidump.AssertionInfoStream:      {"crash_info"},
	minidump.CommentAStream:           {"annotations"},
	minidump.CommentWStream:           {"annotations"},
	minidump.CrashpadInfoStream:       {"annotations"},
	minidump.ExceptionStream:          {"crash_info", "crashing_thread", "threads", "verdict", "signature", "socorro_signature", "next_steps"},
	minidump.HandleDataStream:         {"handles"},
	minidump.LinuxCmdLineStream:       {"linux_files"},
	minidump.LinuxCPUInfoStream:       {"linux_files"},
	minidump.LinuxEnvironStream:       {"linux_files"},
	minidump.LinuxLSBReleaseStream:    {"linux_files", "lsb_release"},
	minidump.LinuxMapsStream:          {"linux_files", "linux_memory_map_count"},
	minidump.LinuxProcFDStream:        {"linux_files"},
	minidump.LinuxProcStatStream:      {"linux_files"},
	minidump.LinuxProcStatusStream:    {"linux_files"},
	minidump.LinuxProcUptimeStream:    {"linux_files"},
	minidump.LinuxLimitsStream:        {"linux_files", "proc_limits"},
	minidump.MacBootArgsStream:        {"mac_boot_args"},
	minidump.MacCrashInfoStream:       {"mac_crash_info"},
	minidump.SoftErrorsStream:         {"soft_errors"},
	minidump.MiscInfoStream:           {"pid", "process_uptime"},
	minidump.ThreadNamesStream:        {"threads", "crashing_thread"},
	minidump.UnloadedModuleListStream: {"unloaded_modules", "threads", "crashing_thread", "verdict", "signature", "socorro_signature", "next_steps"},

	// Memory is where stacks and instructions are read. Its size is in dump.
	minidump.MemoryListStream:     {"memory_regions", "dump", "threads", "crashing_thread", "crash_info", "verdict", "signature", "socorro_signature", "next_steps"},
	minidump.Memory64ListStream:   {"memory_regions", "dump", "threads", "crashing_thread", "crash_info", "verdict", "signature", "socorro_signature", "next_steps"},
	minidump.MemoryInfoListStream: {"memory_regions", "crash_info", "verdict", "next_steps"},

	// Nearly everything about a crash depends on these three.
	minidump.SystemInfoStream: {"system_info", "modules", "unloaded_modules", "memory_regions", "mac_crash_info", "threads", "crashing_thread", "crash_info", "verdict", "signature", "socorro_signature", "next_steps"},
	minidump.ModuleListStream: {"modules", "wanted_symbols", "memory_regions", "dump", "threads", "crashing_thread", "verdict", "signature", "socorro_signature", "next_steps"},
	minidump.ThreadListStream: {"threads", "thread_count", "crashing_thread", "memory_regions", "dump", "crash_info", "verdict", "signature", "socorro_signature", "next_steps"},
}

// check makes the report of a damaged dump. It must have a note with the stream's offset if its
// reader returns an error, and all fields that do not depend on the stream.
func (v *victim) check(t *testing.T, what string) {
	t.Helper()
	r := mustReport(t, v.data)
	f, err := minidump.Open(source(v.data))
	if err != nil {
		t.Fatal(err)
	}
	var at *bin.Error
	if _, err := f.Decode(v.stream.Type); errors.As(err, &at) && !slices.ContainsFunc(r.Notes, func(n report.Note) bool {
		return n.Offset != nil && *n.Offset == at.Off && n.Where == at.What && n.Text == at.Why
	}) {
		t.Errorf("%s, %s: no note, though %v", v.stream.Type, what, err)
	}
	for name, part := range sections(r) {
		if name != "notes" && name != "streams" && !slices.Contains(belongs[v.stream.Type], name) && !reflect.DeepEqual(part, v.whole[name]) {
			t.Errorf("%s, %s: %s has changed", v.stream.Type, what, name)
		}
	}
}

// Each stream is truncated after each of its bytes.
func TestStreamsCut(t *testing.T) {
	t.Parallel()
	for _, v := range victims(t) {
		for n := uint64(0); n < v.stream.Size; n += uint64(sample.Step()) {
			binary.LittleEndian.PutUint32(v.data[v.entry+4:], uint32(n))
			v.check(t, fmt.Sprintf("cut to %d of %d bytes", n, v.stream.Size))
		}
	}
}

// Every word of each stream, including counts and offsets, is replaced by numbers that break
// readers.
func TestStreamsLie(t *testing.T) {
	t.Parallel()
	for _, v := range victims(t) {
		for at := v.stream.RVA; at+4 <= v.stream.RVA+v.stream.Size; at += 4 * uint64(sample.Step()) {
			old := binary.LittleEndian.Uint32(v.data[at:])
			for _, lie := range []uint32{0, 1, 1<<31 - 1, 1<<32 - 1} {
				binary.LittleEndian.PutUint32(v.data[at:], lie)
				v.check(t, fmt.Sprintf("%#x at %#x", lie, at))
			}
			binary.LittleEndian.PutUint32(v.data[at:], old)
		}
	}
}
