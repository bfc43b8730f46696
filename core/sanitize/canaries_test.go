package sanitize

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/call"
	"crashglass/core/testkit/dump"
)

// stays are the places of texts that a sanitized dump keeps, with the reason
// for each. Every other text of every stream has to go.
var stays = map[string]string{
	"Modules[0].Name":             "symbols are found by the names of modules; the folders around them are masked",
	"Modules[0].DebugFile":        "the same",
	"Modules[0].CodeView.File":    "the same",
	"UnloadedModules[0].Name":     "the same",
	"ThreadNames[0].Name":         "the program's own names tell its threads apart; names of people in them are masked",
	"Assertion.Expression":        "what the program said when it gave up is what happened",
	"Assertion.Function":          "the same",
	"Assertion.File":              "the same",
	"LinuxCpuInfo":                "what the processor says of itself, in lines of known names",
	"LinuxProcStatus":             "counters of the process and the name of the program, in lines of known names",
	"LinuxLsbRelease":             "the name of the distribution, in lines of known names",
	"Modules[0].CodeView.BuildID": "symbols are found by it",
}

// staysMasked are those of a masked report, beside the same ones.
var staysMasked = map[string]string{
	"Crashpad.Annotations[0].Value":       "the name of the product",
	"Crashpad.Annotations[1].Value":       "its version",
	"Crashpad.Modules[0].Simple[0].Value": "the name of the product",
	"Crashpad.Modules[0].Simple[1].Value": "its version",
	"Crashpad.Modules[0].Objects[0].Name": "the names of annotations are the program's, and their values are left out",
	"Crashpad.Modules[0].Objects[1].Name": "the same",
	"Crashpad.Modules[0].Objects[2].Name": "the same",
	"Handles[0].Type":                     "the kind of an object of the system",
	"MacCrashInfo[0].Module":              "the library that stopped the program",
	"MacCrashInfo[0].Message":             "what it said is what happened",
	"MozLinuxLimits":                      "the name of a limit of the kernel",
	"MozLinuxLimits[1]":                   "its unit",
}

// A flock has the canaries of a dump, by their places.
type flock map[string]string

// text is a new canary, eleven characters, whose halves are its own.
func (f flock) text(where string) string {
	c := fmt.Sprintf("Kanarie%04d", len(f))
	f[where] = c
	return c
}

// word is a new canary of eight characters as a number.
func (f flock) word(where string) uint64 {
	c := fmt.Sprintf("Knry%04d", len(f))
	f[where] = c
	return binary.LittleEndian.Uint64([]byte(c))
}

// in returns the places of canaries that data still has, as ASCII or UTF-16.
func (f flock) in(data []byte) (alive []string) {
	for where, c := range f {
		if bytes.Contains(data, []byte(c)) || bytes.Contains(data, []byte(wide(c))) {
			alive = append(alive, where)
		}
	}
	slices.Sort(alive)
	return alive
}

// fill plants a canary into each text of a value, and into each number where
// numbers is set. Keys of settings stay: lines of other keys are left out whole.
func (f flock) fill(v reflect.Value, where string, numbers bool) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text(where))
	case reflect.Uint64:
		if numbers {
			v.SetUint(f.word(where))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			f.fill(v.Elem(), where, numbers)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.IsExported() && field.Name != "Key" && field.Type != reflect.TypeFor[minidump.Location]() {
				f.fill(v.Field(i), strings.TrimPrefix(where+"."+field.Name, "."), numbers)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 && v.Len() > 0 {
			v.SetBytes([]byte(f.text(where)))
			return
		}
		for i := range v.Len() {
			f.fill(v.Index(i), fmt.Sprintf("%s[%d]", where, i), numbers)
		}
	}
}

// A plant reads what a stream has in a dump with a stream of each kind, fills it
// with canaries and writes it.
type plant func(f *minidump.File, w *write.Writer, flock flock)

// planting makes one of a reader and a writer.
func planting[T any](name string, numbers bool, read func(*minidump.File) (T, error), method func(*write.Writer, T)) plant {
	return func(f *minidump.File, w *write.Writer, flock flock) {
		v, _ := read(f)
		flock.fill(reflect.ValueOf(&v).Elem(), name, numbers)
		method(w, v)
	}
}

// plantAny plants canaries in what a stream's reader returned, for the method of
// Writer that takes that.
func plantAny(v any, kind minidump.StreamType, w *write.Writer, flock flock) bool {
	filled := reflect.New(reflect.TypeOf(v)).Elem()
	filled.Set(reflect.ValueOf(v))
	flock.fill(filled, kind.Name(), true)
	return call.With(w, filled.Interface())
}

// inText plants a stream of text, with a canary for each verb of the format.
func inText(t minidump.StreamType, format string) plant {
	return func(_ *minidump.File, w *write.Writer, flock flock) {
		canaries := []any{flock.text(t.Name())}
		for n := 1; n < strings.Count(format, "%"); n++ {
			canaries = append(canaries, flock.text(fmt.Sprintf("%s[%d]", t.Name(), n)))
		}
		w.Stream(t, fmt.Appendf(nil, format, canaries...))
	}
}

// bit64 writes for 64-bit processes.
func bit64[T any](method func(*write.Writer, T, int)) func(*write.Writer, T) {
	return func(w *write.Writer, v T) { method(w, v, 8) }
}

// plants has the streams that plantAny cannot fill.
var plants = map[minidump.StreamType]plant{
	minidump.ModuleListStream:          plantModules,
	minidump.SystemInfoStream:          planting("SystemInfo", false, (*minidump.File).SystemInfo, (*write.Writer).SystemInfo),
	minidump.CommentAStream:            inText(minidump.CommentAStream, "%s\x00"),
	minidump.CommentWStream:            plantCommentW,
	minidump.HandleDataStream:          plantHandles,
	minidump.FunctionTableStream:       plantFunctionTables,
	minidump.UnloadedModuleListStream:  planting("UnloadedModules", false, (*minidump.File).UnloadedRecords, (*write.Writer).UnloadedModules),
	minidump.MiscInfoStream:            plantMiscInfo,
	minidump.MemoryInfoListStream:      planting("MemoryInfo", true, (*minidump.File).MemoryInfo, (*write.Writer).MemoryInfo),
	minidump.ThreadInfoListStream:      planting("ThreadInfo", true, (*minidump.File).ThreadInfos, (*write.Writer).ThreadInfos),
	minidump.ThreadCallsStream:         planting("ThreadCall", true, (*minidump.File).ThreadCalls, (*write.Writer).ThreadCalls),
	minidump.HandleOperationListStream: plantHandleOperations,
	minidump.TokenStream:               plantTokens,
	minidump.SystemMemoryInfoStream:    planting("SystemMemory", true, (*minidump.File).SystemMemory, (*write.Writer).SystemMemory),
	minidump.ProcessVMCountersStream:   planting("ProcessVMCounters", true, (*minidump.File).ProcessVMCounters, (*write.Writer).ProcessVMCounters),
	minidump.ThreadNamesStream:         planting("ThreadNames", false, (*minidump.File).ThreadNameList, (*write.Writer).ThreadNames),
	minidump.BreakpadInfoStream:        planting("BreakpadInfo", false, (*minidump.File).BreakpadInfo, (*write.Writer).BreakpadInfo),
	minidump.AssertionInfoStream:       plantAssertion,
	minidump.LinuxCPUInfoStream:        inText(minidump.LinuxCPUInfoStream, "model\t: %s\n"),
	minidump.LinuxProcStatusStream:     inText(minidump.LinuxProcStatusStream, "Pid:\t%s\n"),
	minidump.LinuxCmdLineStream:        inText(minidump.LinuxCmdLineStream, "%s\x00%s\x00"),
	minidump.LinuxEnvironStream:        inText(minidump.LinuxEnvironStream, "A=%s\x00"),
	minidump.LinuxAuxvStream:           planting("Auxv", true, (*minidump.File).Auxv, bit64((*write.Writer).Auxv)),
	minidump.LinuxMapsStream:           inText(minidump.LinuxMapsStream, "400000-401000 r--p 00000000 00:00 0 /srv/%s.pdf\n"),
	minidump.LinuxDSODebugStream:       plantDSODebug,
	minidump.CrashpadInfoStream:        plantCrashpad,
	minidump.StabilityReportStream:     inText(minidump.StabilityReportStream, "\x12\x0b%s"), // a message
	minidump.MacCrashInfoStream:        plantMacCrashInfo,
	minidump.MacBootArgsStream:         plantMacBootArgs,
	minidump.LinuxLimitsStream:         inText(minidump.LinuxLimitsStream, "%s  1  2  %s\n"),
	minidump.LinuxLSBReleaseStream:     inText(minidump.LinuxLSBReleaseStream, "ID=%s\n"),
	minidump.LinuxProcStatStream:       inText(minidump.LinuxProcStatStream, "7 (%s) S 1\n"),
	minidump.LinuxProcUptimeStream:     inText(minidump.LinuxProcUptimeStream, "%s 1.5\n"),
	minidump.LinuxProcFDStream:         inText(minidump.LinuxProcFDStream, "3 -> /srv/%s\n"),
	minidump.SoftErrorsStream:          inText(minidump.SoftErrorsStream, "[%q]"),
	minidump.ThreadListStream:          plantThreads,
	minidump.ExceptionStream:           plantException,
	minidump.MemoryListStream:          plantMemory,

	// The same lists once more: a dump has one of them.
	minidump.ThreadExListStream: nil,
	minidump.Memory64ListStream: nil,
}

// codeOfApp is where the fixture's program is.
const codeOfApp = 0x40_0000

func plantModules(f *minidump.File, w *write.Writer, flock flock) {
	list, _ := f.ModuleRecords()
	pdb := list[1]
	list = []minidump.ModuleRecord{list[0], pdb, pdb}
	list[0].CodeView.BuildID = []byte(flock.text("Modules[0].CodeView.BuildID"))
	list[0].Name, list[0].DebugFile = "/srv/"+flock.text("Modules[0].Name"), flock.text("Modules[0].DebugFile")
	list[1].CodeView.File = flock.text("Modules[0].CodeView.File")
	list[2].Base += 0x10_0000
	list[2].CodeView = minidump.CodeView{Kind: minidump.UnknownCodeView, Raw: []byte("????" + flock.text("Modules[2].CodeView.Raw"))}
	for i := range list { // folders of a person
		list[i].Name = "/home/" + flock.text(fmt.Sprintf("Modules[%d] folder", i)) + "/" + list[i].Name
	}
	w.Modules(list)
}

func plantAssertion(_ *minidump.File, w *write.Writer, flock flock) {
	var a minidump.Assertion
	flock.fill(reflect.ValueOf(&a).Elem(), "Assertion", false)
	w.Assertion(&a)
}

// Streams that no program writes, with a canary in every text and every number of 8 bytes.

func plantCommentW(_ *minidump.File, w *write.Writer, flock flock) {
	w.Stream(minidump.CommentWStream, []byte(wide(flock.text("CommentW"))+"\x00\x00"))
}

func plantHandles(_ *minidump.File, w *write.Writer, flock flock) {
	info := w.Put(asm.At(0).U32(0, 1, 11).Text(flock.text("Handles[0].Info[0].Data")).Build(testing0))
	s := asm.At(0).U32(16, 40, 1, 0).U64(flock.word("Handles[0].Value"))
	s.U32(w.Text(flock.text("Handles[0].Type")), w.Text(flock.text("Handles[0].Name")), 1, 2, 3, 4, uint32(info.RVA), 0)
	w.Stream(minidump.HandleDataStream, s.Build(testing0))
}

func plantFunctionTables(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U32(24, 32, 11, 11, 1, 0).U64(1, 2, 1).U32(1, 2)
	s.Text(flock.text("FunctionTables[0].Native")).Text(flock.text("FunctionTables[0].Entries")).Zeros(2)
	w.Stream(minidump.FunctionTableStream, s.Build(testing0))
}

func plantHandleOperations(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U32(16, 288, 1, 0).U64(flock.word("HandleOperations[0].Handle")).U32(1, 1, 1, 0, 2, 0)
	s.U64(flock.word("HandleOperations[0].Stack[0]"), flock.word("HandleOperations[0].Stack[1]")).Zeros(240)
	w.Stream(minidump.HandleOperationListStream, s.Build(testing0))
}

func plantTokens(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U32(16+16+11, 1, 16, 16).U32(16+11, 1).U64(flock.word("Tokens[0].Handle")).Text(flock.text("Tokens[0].Data"))
	w.Stream(minidump.TokenStream, s.Build(testing0))
}

func plantDSODebug(_ *minidump.File, w *write.Writer, flock flock) {
	name := w.Text(flock.text("DSODebug.Links[0].Name"))
	link := asm.At(0).U64(flock.word("DSODebug.Links[0].Addr")).U32(name, 0).U64(flock.word("DSODebug.Links[0].Dynamic"))
	s := asm.At(0).U32(1, uint32(w.Put(link.Build(testing0)).RVA), 1, 0)
	s.U64(flock.word("DSODebug.Break"), flock.word("DSODebug.Base"), flock.word("DSODebug.Dynamic"))
	w.Stream(minidump.LinuxDSODebugStream, s.Build(testing0))
}

func plantMacCrashInfo(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U64(uint64(minidump.MacCrashInfoStream), 5)
	for _, name := range []string{"Thread", "DialogMode", "AbortCause"} {
		s.U64(flock.word("MacCrashInfo[0]." + name))
	}
	for _, name := range []string{"Module", "Message", "Signature", "Backtrace", "Message2"} {
		s.Text(flock.text("MacCrashInfo[0]."+name) + "\x00")
	}
	record := w.Put(s.Build(testing0))
	list := asm.At(0).U32(uint32(minidump.MacCrashInfoStream), 1, 40, uint32(record.Size), uint32(record.RVA)).Zeros(8 * 19)
	w.Stream(minidump.MacCrashInfoStream, list.Build(testing0))
}

func plantMiscInfo(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U32(1364, 0x3f7, 42, 1000, 20, 30, 3000, 2900, 3100, 2, 1, 0x2000, 13, 1, 2, 60)
	dump.Fixed(s, flock.text("MiscInfo.TimeZone.Standard"), 32).U16(0, 10, 0, 5, 3, 0, 0, 0).U32(0)
	dump.Fixed(s, flock.text("MiscInfo.TimeZone.Daylight"), 32).U16(0, 3, 0, 5, 2, 0, 0, 0).U32(60)
	dump.Fixed(s, flock.text("MiscInfo.BuildString"), 260)
	dump.Fixed(s, flock.text("MiscInfo.DebugBuild"), 40)
	s.U32(528, 2688).U64(flock.word("MiscInfo.XState.Enabled")).Zeros(8 * 64).U32(0xc00c1e)
	w.Stream(minidump.MiscInfoStream, s.Build(testing0))
}

func plantCrashpad(_ *minidump.File, w *write.Writer, flock flock) {
	text := func(text string) uint32 {
		return uint32(w.Put(asm.At(0).U32(uint32(len(text))).Text(text).U8(0).Build(testing0)).RVA)
	}
	canary := func(where string) uint32 { return text(flock.text("Crashpad." + where)) }
	locate := func(s, part *asm.Section) {
		at := w.Put(part.Build(testing0))
		s.U32(uint32(at.Size), uint32(at.RVA))
	}
	dictionary := func(where string) *asm.Section {
		return asm.At(0).U32(2, text("prod"), canary(where+"[0].Value"), text("ver"), canary(where+"[1].Value"))
	}
	objects := asm.At(0).U32(3)
	for i, kind := range []uint16{1, 0x8001, 1} {
		where := fmt.Sprintf("Modules[0].Objects[%d]", i)
		objects.U32(canary(where+".Name")).U16(kind, 0).U32(canary(where + ".Value"))
	}
	module := asm.At(0).U32(1)
	locate(module, asm.At(0).U32(2, canary("Modules[0].List[0]"), canary("Modules[0].List[1]")))
	locate(module, dictionary("Modules[0].Simple"))
	locate(module, objects)
	links := asm.At(0).U32(1, 3)
	locate(links, module)
	s := asm.At(0).U32(1).Zeros(32)
	locate(s, dictionary("Annotations"))
	locate(s, links)
	w.Stream(minidump.CrashpadInfoStream, s.U32(0).U64(1<<56-1).Build(testing0))
}

func plantMacBootArgs(_ *minidump.File, w *write.Writer, flock flock) {
	s := asm.At(0).U32(uint32(minidump.MacBootArgsStream)).U64(uint64(w.Text(flock.text("MacBootArgs"))))
	w.Stream(minidump.MacBootArgsStream, s.Build(testing0))
}

// contextOf has canaries in every register but those that a walk begins with.
func contextOf(t testing.TB, flock flock, where string) []byte {
	regs := map[string]uint64{"rip": codeOfApp + 0x10, "rsp": stackBase + 0x80}
	for _, r := range []string{"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"} {
		regs[r] = flock.word(where + "." + r)
	}
	data := dump.New().Context(t, dump.AMD64, regs)
	vectors := flock.text(where + ".vectors")
	for at := 256; at+len(vectors) < len(data); at += len(vectors) {
		copy(data[at:], vectors)
	}
	copy(data[72:], flock.text(where + ".dr0")[:8])
	return data
}

var testing0 testing.TB

func plantThreads(f *minidump.File, w *write.Writer, flock flock) {
	stack := stack(nil, map[int]string{0x90: flock.text("the stack"), 0x800: wide(flock.text("the stack, wide"))})
	at := w.Put(stack)
	context := w.Put(contextOf(testing0, flock, "Thread"))
	w.Threads([]minidump.Thread{{
		ID: 1, TEB: flock.word("Thread.TEB"), Stack: minidump.Range{Base: stackBase, Location: at}, Context: context,
	}})
	heap := w.Put([]byte(flock.text("memory") + wide(flock.text("memory, wide"))))
	w.MemoryList([]minidump.Range{{Base: heapBase, Location: heap}})
}

func plantMemory(*minidump.File, *write.Writer, flock) {} // with the threads

func plantException(f *minidump.File, w *write.Writer, flock flock) {
	x := &minidump.Exception{ThreadID: 1, Code: 11, Flags: 1, Address: 8, Context: w.Put(contextOf(testing0, flock, "Exception"))}
	for i := range 15 {
		x.Parameters = append(x.Parameters, flock.word(fmt.Sprintf("Exception.Parameters[%d]", i)))
	}
	x.Count = 15
	w.Exception(x)
}

// planted150 is a dump with canaries in every field of every stream that is read.
func planted150(t testing.TB) ([]byte, flock) {
	testing0 = t
	f := openFile(t, dump.Everything(t).Build(t))
	w := write.New(f.Header())
	flock := flock{}
	for _, kind := range minidump.StreamTypes() {
		p, known := plants[kind]
		v, err := f.Decode(kind)
		switch {
		case p != nil:
			p(f, w, flock)
		case !known && (err == nil || kind>>16 == 0xface):
			if v != nil && kind>>16 != 0xface && plantAny(v, kind, w, flock) {
				continue
			}
			inText(kind, "%s")(f, w, flock)
			if kind>>16 != 0xface {
				t.Errorf("stream %s has a reader, and no canaries are planted in it", kind)
			}
		}
	}
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	there := flock.in(data) // a field may have no room for all of one
	maps.DeleteFunc(flock, func(where, _ string) bool { return !slices.Contains(there, where) })
	return data, flock
}

// streams are those of an open dump.
func streams(t testing.TB, s *analyze.Session) *minidump.File {
	t.Helper()
	f, err := s.Streams()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func openFile(t testing.TB, data []byte) *minidump.File {
	return streams(t, open(t, data))
}

// TestCanaries sanitizes a dump with a canary in every field: those that live
// are those whose reason is given.
func TestCanaries(t *testing.T) {
	data, flock := planted150(t)
	if len(flock) < 150 {
		t.Errorf("only %d canaries are planted", len(flock))
	}
	r, _ := clean(t, data, Options{})
	if len(r.Changed) > 0 {
		t.Errorf("changed: %q", r.Changed)
	}
	alive := flock.in(r.Data)
	if want := slices.Sorted(maps.Keys(stays)); !slices.Equal(alive, want) {
		t.Errorf("of %d canaries live\n%q\nwant\n%q", len(flock), alive, want)
	}
	t.Logf("%d of %d canaries live", len(alive), len(flock))
}

// TestCanariesOfReports masks the report of the same dump.
func TestCanariesOfReports(t *testing.T) {
	data, flock := planted150(t)
	s := open(t, data)
	r, err := s.Report(nil, analyze.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	before := flock.in([]byte(marshal(t, r)))
	alive := flock.in([]byte(marshal(t, Mask(r, People(s)))))
	for _, where := range alive {
		if stays[where] == "" && staysMasked[where] == "" {
			t.Errorf("the canary of %s lives in the report", where)
		}
	}
	if len(before) < 40 {
		t.Errorf("only %d canaries are in a report that is not masked", len(before))
	}
	t.Logf("%d of %d canaries live in the masked report, %d in the other", len(alive), len(flock), len(before))
}

// TestCanariesInBytes fills each stream that is known, and one that is not, with
// text of either width as if it were damaged: none of it lives.
func TestCanariesInBytes(t *testing.T) {
	types := append(minidump.StreamTypes(), 0x1234_5678)
	for _, kind := range types {
		flock := flock{}
		narrow, broad := flock.text("narrow"), flock.text("wide")
		body := asm.At(0).Text(strings.Repeat(narrow+" ", 8)).Text(wide(strings.Repeat(broad+" ", 8))).Text("\n" + narrow + "\x00" + narrow + "=" + narrow + "\n")
		b := dump.New()
		if kind != minidump.SystemInfoStream {
			b.System(dump.AMD64, dump.Linux, "")
		}
		s, err := openBytes(b.Stream(uint32(kind), body).Build(t))
		if err != nil {
			continue // and no dump is written
		}
		r, err := Clean(s, nil, Options{})
		if err != nil {
			continue
		}
		if alive := flock.in(r.Data); len(alive) > 0 && kind != minidump.AssertionInfoStream { // which is a text
			t.Errorf("%s: text lives: %q", kind, alive)
		}
	}
}

func openBytes(data []byte) (*analyze.Session, error) {
	return analyze.Open(bin.NewSource(reader(data), int64(len(data))))
}
