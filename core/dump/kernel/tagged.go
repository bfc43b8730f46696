package kernel

import (
	"bytes"
	"cmp"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// The tags of parts that are read. Sources: the tags of dumps of Windows 10 and 11, whose data is what GetSystemFirmwareTable returns
// for "RSMB", and the values of HARDWARE\DESCRIPTION\System\CentralProcessor\0.
const (
	tagSMBIOS    = "bc5c008f-1e3a-44d7-988d-86f6884c6758"
	tagProcessor = "6c7ac389-4313-47dc-9f34-a8800a0fb56c"
)

// readTagged reads what drivers and the kernel add behind a dump: DUMP_BLOB_FILE_HEADER, then parts with DUMP_BLOB_HEADER, which has
// its size, a tag, and the sizes of the data and of the padding before and behind it. Source: ntiodump.h.
func (r *reader) readTagged() {
	const most, header = 1 << 12, 0x20
	head, err := r.src.ReadUpTo("tagged data", r.end, 16)
	if r.end == 0 || err != nil || len(head) < 16 || string(head[:8]) != "DumpBlob" {
		return
	}
	at := r.end + int64(order.Uint32(head[8:]))
	for range most {
		data, err := r.src.ReadUpTo("tagged data", at, header)
		if err != nil || len(data) < header {
			return
		}
		c := bin.NewCursor("tagged data", at, data)
		own, id := c.U32(), minidump.ReadGUID(c)
		size, before, behind := c.U32(), c.U32(), c.U32()
		if own < header {
			return
		}
		from := at + int64(own) + int64(before)
		block := Block{"tagged data " + id.Dashed(), from, uint64(size)}
		if r.detail.Blocks = append(r.detail.Blocks, block); id == tagOwn {
			r.readOwn(from, uint64(size))
		} else {
			r.detail.tagged = append(r.detail.tagged, block)
			r.tagged(id.Dashed(), from, uint64(size))
		}
		at = from + int64(size) + int64(behind)
	}
}

func (r *reader) tagged(tag string, at int64, size uint64) {
	const most = 64 << 10
	if tag != tagSMBIOS && tag != tagProcessor {
		return
	}
	data, err := r.src.ReadUpTo("tagged data", at, min(size, most))
	r.Note(err)
	if tag == tagProcessor {
		if r.System.CPU = cmp.Or(r.System.CPU, processorName(data)); r.System.CPU != "" {
			r.Lacks &^= process.CPUModel
		}
		return
	}
	r.Annotations = append(r.Annotations, smbios(data)...)
}

// processorName returns the value ProcessorNameString. A value has the size of its name, the name, its kind, the size of its data and the data.
func processorName(data []byte) string {
	c := bin.NewCursor("processor", 0, data)
	for c.Len() > 0 && c.Err() == nil {
		name := wide(c.Bytes(int(min(c.U32(), 1<<10))))
		c.U32()
		value := c.Bytes(int(min(c.U32(), 1<<10)))
		if name == "ProcessorNameString" {
			return strings.TrimSpace(wide(value))
		}
	}
	return ""
}

// firmware are the structures of SMBIOS that name the computer, with the texts that are shown: numbers of the bytes that have a text's number.
// Serial numbers are not read. Source: DMTF DSP0134, 7.1 to 7.3.
var firmware = [...]firmwareTexts{{"BIOS", []int{4, 5, 8}}, {"computer", []int{4, 5}}, {"board", []int{4, 5, 6}}}

type firmwareTexts struct {
	name  string
	texts []int
}

// smbios names the firmware, the computer and its board. The structures follow 8 bytes of RawSMBIOSData; behind each one are its texts.
func smbios(data []byte) (out []process.Annotation) {
	const most = 16
	data = data[min(8, len(data)):]
	for len(data) >= 4 && int(data[1]) >= 4 && len(data) >= int(data[1]) && len(out) < most {
		texts, rest, _ := bytes.Cut(data[data[1]:], []byte{0, 0})
		var kind firmwareTexts
		if int(data[0]) < len(firmware) {
			kind = firmware[data[0]]
		}
		list := strings.Split(string(texts), "\x00")
		var words []string
		for _, at := range kind.texts {
			if at >= int(data[1]) || data[at] == 0 || int(data[at]) > len(list) {
				continue
			}
			if text := strings.TrimSpace(list[data[at]-1]); text != "" {
				words = append(words, text)
			}
		}
		if len(words) > 0 {
			out = append(out, process.Annotation{Name: kind.name, Value: strings.ToValidUTF8(strings.Join(words, " "), ""), Source: "SMBIOS"})
		}
		data = rest
	}
	return out
}
