package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// A crash report of Unreal Engine, as CrashReportClient sends it: FCompressedHeader
// and one FCompressedCrashFile for each file, of CrashReportCore's CrashUpload.cpp,
// compressed together with zlib. Since 4.25 or so the header begins with "CR1".
// Before that it comes first with counts of zero and again behind the files, and
// FCrashUploadToReceiver writes none at all.
const (
	unrealMark = "CR1"
	unrealName = 260     // SerializeAsANSICharArray pads names to it with zeros
	maxUnreal  = 1 << 12 // of a name, which may be longer
)

// isUnreal looks for the first name where a header has it, or a file.
func isUnreal(head []byte) bool {
	if rest, ok := bytes.CutPrefix(head, []byte(unrealMark)); ok {
		return isUnrealName(rest)
	}
	if isUnrealName(head) {
		return true
	}
	first, ok := bytes.CutPrefix(head, []byte{0, 0, 0, 0})
	return ok && isUnrealName(first)
}

// isUnrealName reports whether b begins with a name and its zeros.
func isUnrealName(b []byte) bool {
	c := bin.NewCursor("name", 0, b)
	n := c.U32()
	if n < unrealName || n > maxUnreal {
		return false
	}
	name, zeros, _ := bytes.Cut(c.Bytes(int(min(n, unrealName))), []byte{0})
	return c.Err() == nil && len(name) > 0 && len(bytes.Trim(zeros, "\x00")) == 0
}

// listUnreal finds the files, which lie one after another. Each has its number
// in front, so that the header behind them is told from one more.
func listUnreal(src bin.Source, budget *Budget) (out []Member, err error) {
	at, err := unrealHeader(src)
	for err == nil {
		head, readErr := src.ReadUpTo("file of the report", at, 12+maxUnreal)
		c := bin.NewCursor("file of the report", at, head)
		number, name, size := c.U32(), unrealText(c), int64(c.U32())
		if readErr != nil || c.Err() != nil || number != uint32(len(out)) || name == "" {
			break // the end, or damage
		}
		size = min(size, src.Size()-c.Offset()) // the last one may be truncated
		if err = budget.member("crash report"); err == nil {
			out = append(out, Member{Name: clean(name), Size: size, in: Unreal, data: place(section(src, c.Offset(), size))})
		}
		at = c.Offset() + size
	}
	return out, err
}

func unrealHeader(src bin.Source) (int64, error) {
	head, err := src.ReadUpTo("header of the report", 0, 8+2*maxUnreal+16)
	if err != nil {
		return 0, fmt.Errorf("archive: crash report: %w", err)
	}
	c := bin.NewCursor("header of the report", 0, head)
	if bytes.HasPrefix(head, []byte(unrealMark)) {
		c.Skip(len(unrealMark))
	} else if binary.LittleEndian.Uint32(append(head[:min(4, len(head)):4], 0, 0, 0, 0)) == 0 {
		return 0, nil
	}
	unrealText(c) // the folder's
	unrealText(c) // the report's
	c.Skip(8)     // UncompressedSize, FileCount
	return c.Offset(), c.Err()
}

// unrealText reads a name, or returns "" where there is none.
func unrealText(c *bin.Cursor) string {
	n := c.U32()
	if n < unrealName || n > maxUnreal {
		return ""
	}
	return bin.Text(c.Bytes(int(n)))
}
