package archive

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"crashglass/core/base/bin"
)

// Static libraries: <ar.h>. BSD's and GNU's ar differ in names of more than 16 bytes.
const (
	arMagic  = "!<arch>\n"
	arHeader = 60
)

// maxArNames bounds GNU's table of long names, and maxArName each of them: members may share one.
const maxArNames, maxArName = 16 << 20, 1 << 10

// listAr finds the members, which lie in the file as they are.
func listAr(src bin.Source, budget *Budget) ([]Member, error) {
	var out []Member
	var refused error
	left := 0        // members beyond the limit
	var names string // GNU's table of long names
	for at := int64(len(arMagic)); src.Has(at, arHeader); {
		h, err := src.Read("ar header", at, arHeader)
		if err != nil {
			return out, fmt.Errorf("archive: ar: %w", err)
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(h[48:58])), 10, 64)
		if err != nil || size < 0 || string(h[58:]) != "`\n" {
			break // damage: where the next member begins is unknown
		}
		at += arHeader
		kept := min(size, src.Size()-at) // the last one may be truncated
		name, skip := arName(src, strings.TrimRight(string(h[:16]), " "), at, kept, names)
		switch {
		case name == "//":
			data, _ := src.ReadUpTo("ar names", at, uint64(min(kept, maxArNames)))
			names = string(data)
		case name == "" || name == "/" || name == "/SYM64/" || strings.HasPrefix(name, "__.SYMDEF"):
		default:
			if refused == nil {
				refused = budget.member("ar")
			}
			if refused != nil {
				left++
				break
			}
			out = append(out, Member{Name: clean(path.Base(name)), Size: kept - skip, in: Ar, data: place(section(src, at+skip, kept-skip))})
		}
		if size > src.Size()-at {
			break
		}
		at += size + size&1
	}
	return out, beyond(refused, left)
}

// arName returns a member's name, and how many bytes of its data are the name: in BSD's form "#1/LENGTH".
func arName(src bin.Source, name string, at, size int64, names string) (string, int64) {
	if digits, ok := strings.CutPrefix(name, "#1/"); ok {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > min(size, maxTarName) {
			return "", 0
		}
		data, err := src.Read("ar name", at, uint64(n))
		if err != nil {
			return "", 0
		}
		return bin.Text(data), n
	}
	if digits, ok := strings.CutPrefix(name, "/"); ok && digits != "" {
		if n, err := strconv.Atoi(digits); err == nil && n >= 0 && n < len(names) {
			if long, _, ends := strings.Cut(names[n:min(n+maxArName, len(names))], "\n"); ends || len(long) < maxArName {
				name = long
			}
		}
	}
	if name == "/" || name == "//" || name == "/SYM64/" {
		return name, 0
	}
	return strings.TrimSuffix(name, "/"), 0
}
