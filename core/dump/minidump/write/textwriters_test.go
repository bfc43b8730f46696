package write

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// Text streams: comments, and files of /proc in the kernel's form. A text without a structure needs
// no method, because its bytes are the stream.

// CommentA writes stream 10.
func (w *Writer) CommentA(text string) { w.Stream(minidump.CommentAStream, append([]byte(text), 0)) }

// CommentW writes stream 11.
func (w *Writer) CommentW(text string) {
	e := w.encoder()
	e.u16(utf16.Encode([]rune(text))...)
	e.u16(0)
	w.Stream(minidump.CommentWStream, e.b)
}

// LinuxCPUInfo writes stream 0x47670003, /proc/cpuinfo. The first key begins each processor, after
// a blank line.
func (w *Writer) LinuxCPUInfo(list []minidump.KeyValue) {
	var text strings.Builder
	for i, kv := range list {
		if i > 0 && kv.Key == list[0].Key {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "%s\t: %s\n", quoted(kv.Key), quoted(kv.Value))
	}
	w.Stream(minidump.LinuxCPUInfoStream, []byte(text.String()))
}

// LinuxProcStatus writes stream 0x47670004, /proc/PID/status.
func (w *Writer) LinuxProcStatus(list []minidump.KeyValue) {
	var text strings.Builder
	for _, kv := range list {
		fmt.Fprintf(&text, "%s:\t%s\n", quoted(kv.Key), quoted(kv.Value))
	}
	w.Stream(minidump.LinuxProcStatusStream, []byte(text.String()))
}

// quoted quotes a text from which [minidump.KeyValues] would remove spaces or quotes.
func quoted(text string) string {
	hasQuotes := len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"'
	if hasQuotes || strings.TrimSpace(text) != text {
		return `"` + text + `"`
	}
	return text
}

// CommandLine writes stream 0x47670006: the arguments, with a NUL behind each.
func (w *Writer) CommandLine(args []string) {
	w.Stream(minidump.LinuxCmdLineStream, withNUL(args))
}

// Environment writes stream 0x47670007: KEY=value, with a NUL behind each.
func (w *Writer) Environment(list []minidump.KeyValue) {
	var all []string
	for _, kv := range list {
		all = append(all, kv.Key+"="+kv.Value)
	}
	w.Stream(minidump.LinuxEnvironStream, withNUL(all))
}

func withNUL(list []string) []byte {
	var data []byte
	for _, text := range list {
		data = append(append(data, text...), 0)
	}
	return data
}

// limitColumns has two or more spaces between columns, in contrast to the kernel's "%-25s %-20s
// %-20s %-10s".
const limitColumns = "%-24s  %-19s  %-19s  %-10s\n"

// Limits writes stream 0x4d7a0003, /proc/PID/limits.
//
// Source: Linux, fs/proc/base.c, proc_pid_limits.
func (w *Writer) Limits(list []process.Limit) {
	var text strings.Builder
	fmt.Fprintf(&text, limitColumns, "Limit", "Soft Limit", "Hard Limit", "Units")
	for _, l := range list {
		fmt.Fprintf(&text, limitColumns, l.Name, limitText(l.Soft), limitText(l.Hard), l.Unit)
	}
	w.Stream(minidump.LinuxLimitsStream, []byte(text.String()))
}

func limitText(v uint64) string {
	if v == process.Unlimited {
		return "unlimited"
	}
	return strconv.FormatUint(v, 10)
}

// LinuxMaps writes stream 0x47670009, /proc/PID/maps.
func (w *Writer) LinuxMaps(list []process.Mapping) {
	w.Stream(minidump.LinuxMapsStream, []byte(process.MapsText(list)))
}
