package write

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/expect"
)

// roundTrip reads every stream of a file, writes it, reads it again and
// compares the two. It returns the kinds that it compared; damaged streams,
// which no writer can repeat, are left out.
func roundTrip(t *testing.T, f *minidump.File) map[minidump.StreamType]bool {
	t.Helper()
	c := copier{t, f, New(f.Header())}
	values := map[minidump.StreamType]any{}
	for _, number := range minidump.StreamTypes() {
		if !f.Has(number) {
			continue
		}
		v, err := f.Decode(number)
		if errors.Is(err, minidump.ErrNoReader) {
			continue
		}
		if err != nil {
			t.Logf("%s is damaged: %v", number, err)
			continue
		}
		if c.write(number, v) {
			values[number] = v
		}
	}
	done := map[minidump.StreamType]bool{}
	g := written(t, c.w)
	for number, v := range values {
		compare(t, number, f, v, g)
		done[number] = true
	}
	return done
}

// compare compares a stream of the original file with that of the written file: the values, and the
// bytes that they point to.
func compare(t *testing.T, number minidump.StreamType, f *minidump.File, v any, g *minidump.File) {
	t.Helper()
	again, err := g.Decode(number)
	expect.Error(t, err, "")
	before, was := placeless(t, f, v)
	after, is := placeless(t, g, again)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("%s\nread    %+v\nwritten %+v", number, content(before), content(after))
	}
	if !bytes.Equal(was, is) {
		t.Errorf("%s: %d bytes that it points to are %d others", number, len(was), len(is))
	}
}

// placeless returns a value without file offsets, and the bytes at these offsets. The records of a
// module are values themselves.
func placeless(t *testing.T, f *minidump.File, v any) (any, []byte) {
	t.Helper()
	var all []byte
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			if loc, ok := v.Interface().(minidump.Location); ok {
				data, err := f.Bytes("part", loc)
				expect.Error(t, err, "")
				all = append(all, data...)
			}
			for i := range v.NumField() {
				switch field := v.Field(i); v.Type().Field(i).Name {
				case "RVA", "NameRVA", "CSDVersionRVA", "Debug", "Misc":
					field.SetZero()
				default:
					if field.CanSet() {
						walk(field)
					}
				}
			}
		}
	}
	top := reflect.New(reflect.TypeOf(v)).Elem()
	top.Set(reflect.ValueOf(v))
	walk(top)
	return top.Interface(), all
}

// theRest is a dump with the streams that everything lacks: the long list of threads instead of the
// short one, and Facebook's texts.
func theRest(t *testing.T) *dump.Builder {
	b := dump.New().System(dump.AMD64, dump.Linux, "x")
	context := b.Blob(b.Context(t, dump.AMD64, map[string]uint64{"rip": 0x1234}))
	ex := asm.At(0).U32(1, 7, 1, 2, 3).U64(4, 0x7000)
	dump.Location(ex, b.Blob([]byte("stack")))
	dump.Location(ex, context).Zeros(16)
	b.Stream(8, ex)
	for _, number := range plainTexts {
		b.Stream(uint32(number), asm.At(0).Text(number.Name()))
	}
	return b
}

// Every stream that is read can be written, and is then the same.
func TestRoundTrip(t *testing.T) {
	done := map[minidump.StreamType]bool{}
	for _, b := range []*dump.Builder{dump.Everything(t), theRest(t)} {
		for number := range roundTrip(t, build(t, b)) {
			done[number] = true
		}
	}
	absent := build(t, dump.New())
	for _, number := range minidump.StreamTypes() {
		_, err := absent.Decode(number)
		if errors.Is(err, minidump.ErrNoStream) && !done[number] { // it has a reader
			t.Errorf("nothing writes a %s, or no dump here has one", number)
		}
	}
}

// Dumps of the corpus, which need not be there.
func TestRoundTripCorpus(t *testing.T) {
	counts := map[minidump.StreamType]int{}
	for _, pattern := range []string{"public/dumps/*/*.dmp", "real/dumps/*.dmp", "perf/*.dmp", "vectors/*/dump.dmp"} {
		names, _ := filepath.Glob("../../../../../shared/corpus/" + pattern)
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				file, err := os.Open(name)
				expect.Error(t, err, "")
				defer file.Close()
				info, err := file.Stat()
				expect.Error(t, err, "")
				f, err := minidump.Open(bin.NewSource(file, info.Size()))
				if err != nil {
					t.Skipf("no dump at all: %v", err)
				}
				for number := range roundTrip(t, f) {
					counts[number]++
				}
			})
		}
	}
	t.Logf("streams: %v", counts)
}

// FuzzRoundTrip does the same with streams of any contents. It skips streams that point to memory,
// which may not exist, and those with texts in fixed arrays, to which the writer adds a terminator.
func FuzzRoundTrip(f *testing.F) {
	apart := map[minidump.StreamType]bool{
		minidump.ThreadListStream: true, minidump.ThreadExListStream: true, minidump.MemoryListStream: true, minidump.Memory64ListStream: true, minidump.ExceptionStream: true,
		minidump.MiscInfoStream: true, minidump.AssertionInfoStream: true,
	}
	seeds, err := minidump.Open(source(dump.Everything(f).Build(f)))
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range seeds.Streams() {
		data, _ := seeds.Stream(s.Type)
		f.Add(uint32(s.Type), data, false)
	}
	f.Add(uint32(minidump.LinuxCPUInfoStream), []byte("\"a \" : \"\"b\"\n:\n"), true)
	f.Fuzz(func(t *testing.T, number uint32, data []byte, big bool) {
		if apart[minidump.StreamType(number)] {
			t.Skip("it may point to nothing, or lack a terminator")
		}
		w := New(minidump.Header{BigEndian: big})
		w.Stream(minidump.StreamType(number), data)
		roundTrip(t, written(t, w))
	})
}
