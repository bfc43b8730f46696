package breakpaddump

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

func written(t *testing.T, data []byte, opt Options) string {
	t.Helper()
	f, err := minidump.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	if err := Write(&out, f, opt); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Memory is one number or, with -x, rows of 16 bytes: offsets of the range, a
// gap behind each eight bytes, and the text.
func TestMemory(t *testing.T) {
	data := dump.New().Memory(0x7fff_0000, []byte("GET /index.html\x00\x1b[31m")).Build(t)
	const head = `MinidumpMemoryList
  region_count = 1

region[0]
MDMemoryDescriptor
  start_of_memory_range = 0x7fff0000
  memory.data_size      = 0x15
  memory.rva            = 0x`
	const number = `
Memory
0x474554202f696e6465782e68746d6c001b5b33316d

`
	const rows = `
Memory
00000000  47 45 54 20 2f 69 6e 64  65 78 2e 68 74 6d 6c 00  |GET /index.html.|
00000010  1b 5b 33 31 6d                                    |.[31m           |

`
	for opt, want := range map[Options]string{{}: number, {Rows: true}: rows} {
		got := written(t, data, opt)
		if !strings.Contains(got, head) || !strings.HasSuffix(got, want) {
			t.Errorf("%+v:\n%s\nwant at the end\n%s", opt, got, want)
		}
	}
}

// Texts keep their lines and tabs; NULs and control characters are shown.
func TestTexts(t *testing.T) {
	data := dump.New().
		Stream(uint32(minidump.LinuxCmdLineStream), asm.At(0).Text("app\x00--title=\x1b]0;x\x00")).
		Stream(uint32(minidump.LinuxProcStatusStream), asm.At(0).Text("Name:\tapp\nPid:\t7\n")).Build(t)
	want := `Stream MD_LINUX_CMD_LINE:
app\0
--title=\x1b]0;x\0


Stream MD_LINUX_PROC_STATUS:
Name:	app
Pid:	7


`
	if got := written(t, data, Options{}); !strings.HasSuffix(got, want) {
		t.Errorf("%q\nwant at the end\n%q", got, want)
	}
}

// A dump with every stream, truncated or damaged anywhere, is written as far as it is readable,
// with a bounded output.
func TestDamaged(t *testing.T) {
	whole := dump.Everything(t).Build(t)
	for at := 0; at < len(whole); at += 7 {
		written(t, whole[:at], Options{})
		damaged := bytes.Clone(whole)
		for i := at; i < min(at+4, len(whole)); i++ {
			damaged[i] = 0xff
		}
		if text := written(t, damaged, Options{Rows: true}); len(text) > 100*len(whole) {
			t.Errorf("%d bytes of text with damage at %#x, of a dump of %d", len(text), at, len(whole))
		}
	}
}

// Thousands of ranges with the same bytes end the text with a line about it.
func TestSameBytesManyTimes(t *testing.T) {
	const ranges, size = 4000, 1 << 20
	d := dump.New()
	label := d.Blob(bytes.Repeat([]byte{0xaa}, size))
	list := d.Section().U32(ranges)
	for range ranges {
		dump.Location(list.U64(0x1000), label)
	}
	text := written(t, d.Stream(uint32(minidump.MemoryListStream), list).Build(t), Options{})
	if len(text) > 100<<20 || !strings.HasSuffix(text, "The rest is left out: this dump shows the same bytes many times over.\n") {
		t.Errorf("%d bytes of text end with %q", len(text), text[max(0, len(text)-200):])
	}
}
