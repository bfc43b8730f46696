package kernel

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Offsets in PE headers of the directory of resources, and the type of a version. Source: PE Format.
const (
	peResources64 = 24 + 112 + 2*8
	peResources32 = 24 + 96 + 2*8
	versionType   = 16
)

// about says what the dump has about a driver: version, product and company of its file, and when it was linked. Linkers of reproducible
// builds write a hash in place of the time stamp, and only a dump with the image shows that; a date after the dump's is a hash, too.
func (r *reader) about(base uint64) (words []string) {
	const from = 946_684_800 // 2000
	if r.own != nil {
		for _, d := range r.own.Drivers {
			if d.Base == base {
				return d.About
			}
		}
		return nil
	}
	b := r.version(base)
	if b != nil {
		high, low := order.Uint32(b[fixedInfo+8:]), order.Uint32(b[fixedInfo+12:])
		words = append(words, fmt.Sprintf("version %d.%d.%d.%d", high>>16, high&0xffff, low>>16, low&0xffff))
	}
	for _, name := range []string{"Product", "Company"} {
		if text := versionText(b, name+"Name\x00"); text != "" {
			words = append(words, strings.ToLower(name)+" `"+text+"`")
		}
	}
	for _, d := range r.detail.Drivers {
		if d.Base == base && d.Stamp >= from && d.Stamp <= r.Time && !d.hashed {
			words = append(words, fmt.Sprintf("linked in %d if its time stamp is a date", time.Unix(int64(d.Stamp), 0).UTC().Year()))
		}
	}
	return words
}

// fixedInfo is the offset of VS_FIXEDFILEINFO in a version resource.
const fixedInfo = 0x28

// version returns the version resource of an image in memory, or nil. Sources: PE Format, "The .rsrc Section"; VS_VERSIONINFO and
// VS_FIXEDFILEINFO of Microsoft's documentation.
func (r *reader) version(base uint64) []byte {
	const header, row, below = 16, 8, 1 << 31
	pe := r.image(base)
	at := pe + peResources32
	if r.isPE32Plus(pe) {
		at = pe + peResources64
	}
	rva, _ := r.Memory.Word(at, 4)
	if pe == 0 || rva == 0 {
		return nil
	}
	entry := uint64(0)
	for level := range 3 { // types, names and languages; a directory's entries follow its header
		dir := base + rva + entry
		counts, _ := r.Memory.Word(dir+12, 4)
		found := false
		for i := range min(counts&0xffff+counts>>16, 64) {
			id, _ := r.Memory.Word(dir+header+i*row, 4)
			next, _ := r.Memory.Word(dir+header+i*row+4, 4)
			if found = (level > 0 || id == versionType) && (next&below != 0) == (level < 2); found {
				entry = next &^ below
				break
			}
		}
		if !found {
			return nil
		}
	}
	const most, signature = 4 << 10, 0xfeef04bd
	data, _ := r.Memory.Word(base+rva+entry, 4)
	size, _ := r.Memory.Word(base+rva+entry+4, 4)
	b := r.bytes(base+data, min(size, most))
	if len(b) < fixedInfo+16 || order.Uint32(b[fixedInfo:]) != signature {
		return nil
	}
	return b
}

// versionText returns a text of a version resource, "" if it has none: the key is followed by the text, at a multiple of 4 bytes.
func versionText(b []byte, name string) string {
	const most = 64
	var key []byte
	for i := range len(name) {
		key = append(key, name[i], 0)
	}
	i := bytes.Index(b, key)
	if i < 0 {
		return ""
	}
	text := strings.TrimSpace(wide(b[min((i+len(key)+3)&^3, len(b)):]))
	if len(text) > most || strings.ContainsFunc(text, odd) || strings.Contains(text, "`") {
		return ""
	}
	return text
}
