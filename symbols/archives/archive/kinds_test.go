package archive

import (
	"archive/tar"
	"fmt"
	"io"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// tarHeader is a header with its checksum, and its data.
func tarHeader(t *testing.T, kind byte, magic, prefix, name, data string) []byte {
	h := asm.At(0).Text(name).Zeros(100 - len(name)).Zeros(24).Text(fmt.Sprintf("%011o\x00", len(data))).Zeros(12).
		Text("        ").U8(kind).Zeros(100).Text(magic).Zeros(8 - len(magic)).Zeros(80).Text(prefix).Zeros(155 - len(prefix)).Align(tarBlock).Build(t)
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return append(h, asm.At(0).Text(data).Align(tarBlock).Build(t)...)
}

// Members of the kinds that are files are listed (POSIX.1-2017, pax, "ustar Interchange Format"): '0', its old form
// NUL, and '7', a contiguous file. A name for the next member is forgotten when that is none.
func TestTarKinds(t *testing.T) {
	const ustar, gnu = "ustar\x0000", "ustar  "
	file := func(kind byte) []byte { return tarHeader(t, kind, ustar, "", "name", "data") }
	long := tarHeader(t, 'L', gnu, "", "././@LongLink", "long\x00")
	for _, test := range []struct {
		name string
		tar  [][]byte
		want string
	}{
		{"a file", [][]byte{file('0')}, "name=data"},
		{"an old file", [][]byte{file(0)}, "name=data"},
		{"a contiguous file", [][]byte{file('7')}, "name=data"},
		{"links, devices and folders between", [][]byte{file('0'), file('1'), file('2'), file('3'), file('5'), file('0')}, "name=data; name=data"},
		{"a prefix", [][]byte{tarHeader(t, '0', ustar, "d/e", "name", "data")}, "d/e/name=data"},
		{"GNU has other data there", [][]byte{tarHeader(t, '0', gnu, "d/e", "name", "data")}, "name=data"},
		{"a long name", [][]byte{long, file('0'), file('0')}, "long=data; name=data"},
		{"the long name of a folder", [][]byte{long, file('5'), file('0')}, "name=data"},
		{"a damaged checksum", [][]byte{file('0'), append([]byte("other"), file('0')[5:]...), file('0')}, "name=data"},
	} {
		data := []byte{}
		for _, part := range test.tar {
			data = append(data, part...)
		}
		if got := strings.Join(contents(t, "x.tar", append(data, make([]byte, 2*tarBlock)...), Limits{}), "; "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A tar file is known by its magic and its checksum: text that has the one by chance is none.
func TestTarIsKnown(t *testing.T) {
	good := tarHeader(t, '0', "ustar\x0000", "", "name", "")
	for name, test := range map[string]struct {
		head []byte
		want Format
	}{
		"good":                {good, Tar},
		"one byte is missing": {good[:tarBlock-1], ""},
		"another magic":       {tarHeader(t, '0', "uster\x0000", "", "name", ""), ""},
		"another checksum":    {append([]byte("m"), good[1:]...), ""},
	} {
		if got := Sniff(test.head); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := contents(t, "x", tarOf(t, tar.FormatUSTAR, packed{"a", []byte("b"), 0})[:tarBlock+1], Limits{}); fmt.Sprint(got) != "[a=b]" {
		t.Errorf("truncated behind its last byte: %q", got)
	}
}

// Cabinets of a set name the ones before and after them, with their disks ([MS-CAB] 2.1). Files and folders
// at the limits of their fields are listed or said to be damaged.
func TestCabinetsOfASet(t *testing.T) {
	cab := func(flags uint16, optional string, files, folders uint16, list func(s *asm.Section)) []byte {
		s := asm.At(0).Text("MSCF").U32(0, 0, 0).Ref32("files").U32(0).U8(3, 1).U16(folders, files, flags, 7, 0).Text(optional)
		for range folders {
			s.Ref32("data").U16(1, 0)
		}
		s.Mark("files")
		list(s)
		return s.Mark("data").U32(0).U16(4, 4).Text("data").Build(t)
	}
	file := func(s *asm.Section, name string, size, off uint32, folder uint16) {
		s.U32(size, off).U16(folder, 0, 0, 0).Text(name).U8(0)
	}
	one := func(s *asm.Section) { file(s, "a", 4, 0, 0) }
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"alone", cab(0, "", 1, 1, one), "a=data"},
		{"with one before", cab(hasPrevious, "1.cab\x00disk 1\x00", 1, 1, one), "a=data"},
		{"with one after", cab(hasNext, "3.cab\x00disk 3\x00", 1, 1, one), "a=data"},
		{"in the middle", cab(hasPrevious|hasNext, "1.cab\x00\x003.cab\x00\x00", 1, 1, one), "a=data"},
		{"a name of 255 bytes", cab(0, "", 1, 1, func(s *asm.Section) { file(s, strings.Repeat("n", 255), 4, 0, 0) }), strings.Repeat("n", 255) + "=data"},
		{"a name of 256 bytes behind a good file", cab(0, "", 2, 1, func(s *asm.Section) { one(s); file(s, strings.Repeat("n", 256), 4, 0, 0) }), "a=data"},
		{"a name without an end", cab(hasNext, strings.Repeat("n", 300), 1, 1, one), "error: archive: cabinet: header at 0x124: name exceeds 256 bytes"},
		{"no files", cab(0, "", 0, 1, func(*asm.Section) {}), ""},
		{"no folders", cab(0, "", 1, 0, one), "a= error: archive: a in CAB: folder 0 is not among the 0 there are"},
		{"the last folder", cab(0, "", 1, 2, func(s *asm.Section) { file(s, "a", 4, 0, 1) }), "a=data"},
		{"behind the last folder", cab(0, "", 1, 2, func(s *asm.Section) { file(s, "a", 4, 0, 2) }), "a= error: archive: a in CAB: folder 2 is not among the 2 there are"},
		{"the highest folder", cab(0, "", 1, 1, func(s *asm.Section) { file(s, "a", 4, 0, elsewhere-1) }), "a= error: archive: a in CAB: folder 65532 is not among the 1 there are"},
		{"one that goes on elsewhere", cab(0, "", 1, 1, func(s *asm.Section) { file(s, "a", 4, 0, elsewhere) }),
			"a= error: archive: a in CAB: it goes on in another cabinet of the set: unpack all of them together with expand or cabextract"},
		{"the last byte of a folder", cab(0, "", 1, 1, func(s *asm.Section) { file(s, "a", 1, 3, 0) }), "a=a"},
		{"behind the last byte", cab(0, "", 1, 1, func(s *asm.Section) { file(s, "a", 1, 4, 0) }), "a= error: archive: a in CAB: its data end at 0x5, beyond the 0x4 that its folder has"},
		{"nothing at the end", cab(0, "", 1, 1, func(s *asm.Section) { file(s, "a", 0, 4, 0) }), "a="},
	} {
		if got := strings.Join(contents(t, "x.cab", test.data, Limits{}), "; "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A compressed file that can be read at any offset is opened in place, and the others as streams.
func TestSeekers(t *testing.T) {
	text := "read in place"
	seeker := func(src bin.Source) (bin.Source, int64, bool) {
		return source([]byte(text)), 77, src.Size() > 10
	}
	limits := Limits{
		Seekers:       map[string]func(bin.Source) (bin.Source, int64, bool){"zstd": seeker},
		Decompressors: map[string]func(io.Reader) (io.Reader, error){"zstd": func(io.Reader) (io.Reader, error) { return strings.NewReader("a stream"), nil }},
	}
	for name, test := range map[string]struct {
		data  string
		want  string
		size  int64
		block int64
	}{
		"in place": {"\x28\xb5\x2f\xfd0123456789", "app.sym=read in place", int64(len(text)), 77},
		"a stream": {"\x28\xb5\x2f\xfd", "app.sym=a stream", -1, 0},
	} {
		members, err := List("app.sym.zst", source([]byte(test.data)), NewBudget(limits))
		if err != nil || len(members) != 1 || members[0].Size != test.size || members[0].Block != test.block {
			t.Errorf("%s: %+v, %v", name, members, err)
		}
		if got := contents(t, "app.sym.zst", []byte(test.data), limits); fmt.Sprint(got) != "["+test.want+"]" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
