package archive

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"crashglass/core/base/bin"
)

// tarBlock is the unit of tar files: POSIX.1-2017, pax, "ustar Interchange Format".
const tarBlock = 512

// maxTarName is how long the records that give a longer name may be.
const maxTarName = 1 << 16

// isTar checks the magic, and the checksum because the magic is in the middle.
func isTar(head []byte) bool {
	return len(head) >= tarBlock && string(head[257:262]) == "ustar" && tarSum(head)
}

// tarSum checks a header's checksum, in which its own field counts as spaces.
func tarSum(h []byte) bool {
	sum := int64(0)
	for i, c := range h[:tarBlock] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	want, ok := tarNumber(h[148:156])
	return ok && sum == want
}

// listTar finds the members, which lie in the file as they are.
func listTar(src bin.Source, budget *Budget) ([]Member, error) {
	var out []Member
	var refused error
	left := 0       // members beyond the limit
	var long string // the name of the next member, when a header before it gives one
	for at := int64(0); src.Has(at, tarBlock); {
		h, err := src.Read("tar header", at, tarBlock)
		if err != nil {
			return out, fmt.Errorf("archive: tar: %w", err)
		}
		size, ok := tarNumber(h[124:136])
		if !ok || !tarSum(h) {
			break // the end, which is zeros, or damage
		}
		at += tarBlock
		switch kind := h[156]; {
		case kind == 'L' || kind == 'x': // GNU and POSIX
			long = tarLongName(src, at, size, kind)
		case kind == '0' || kind == 0 || kind == '7':
			name := long
			long = ""
			if refused == nil {
				refused = budget.member("tar")
			}
			if refused != nil {
				left++
				break
			}
			if name == "" {
				name = tarName(h)
			}
			size = min(size, src.Size()-at) // the last one may be truncated
			out = append(out, Member{Name: clean(name), Size: size, in: Tar, data: place(section(src, at, size))})
		default:
			long = ""
		}
		if size > src.Size()-at {
			break
		}
		at += (size + tarBlock - 1) / tarBlock * tarBlock
	}
	return out, beyond(refused, left)
}

func tarName(h []byte) string {
	name := bin.Text(h[:100])
	if prefix := bin.Text(h[345:500]); prefix != "" && string(h[257:263]) == "ustar\x00" {
		name = prefix + "/" + name
	}
	return name
}

// tarNumber reads octal digits between spaces and zeros, or GNU's binary form for larger numbers.
func tarNumber(b []byte) (int64, bool) {
	if b[0] == 0x80 {
		var v uint64
		for _, c := range b[1:] {
			if v>>55 != 0 {
				return 0, false
			}
			v = v<<8 | uint64(c)
		}
		return int64(v), true
	}
	v, err := strconv.ParseUint(strings.Trim(string(b), " \x00"), 8, 62)
	return int64(v), err == nil
}

// tarLongName reads the data of a header that gives the next member's name:
// the name itself, or pax records "LENGTH KEY=VALUE\n", one of them with the name.
func tarLongName(src bin.Source, at, size int64, kind byte) string {
	if size > maxTarName || !src.Has(at, uint64(size)) {
		return ""
	}
	data, err := src.Read("tar name", at, uint64(size))
	if err != nil {
		return ""
	}
	if kind == 'L' {
		return bin.Text(data)
	}
	for len(data) > 0 {
		number, _, _ := bytes.Cut(data, []byte(" "))
		n, err := strconv.Atoi(string(number))
		if err != nil || n <= len(number) || n > len(data) {
			return ""
		}
		record := strings.TrimSuffix(string(data[len(number)+1:n]), "\n")
		if path, ok := strings.CutPrefix(record, "path="); ok {
			return path
		}
		data = data[n:]
	}
	return ""
}
