package process

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/base/ranges"
)

// A Region is a range of the address space as the operating system describes
// it: an entry of Windows' memory info list, or a line of /proc/PID/maps.
type Region struct {
	Start, Last       uint64 // inclusive
	Access            string // "rwx" with dashes; "" when unknown, or when there are no pages
	Guard             bool
	State, Kind, Name string
}

// The states and kinds of regions that code depends on.
const (
	Committed = "committed"
	Free      = "free"

	Image   = "image"
	Mapped  = "mapped"
	Private = "private"
	Stack   = "stack"
)

// Allows reports whether an access is allowed: 'r', 'w' or 'x'.
func (g *Region) Allows(access byte) bool { return strings.IndexByte(g.Access, access) >= 0 }

// Accessible reports whether any access is allowed.
func (g *Region) Accessible() bool { return strings.ContainsAny(g.Access, "rwx") }

// Free reports whether nothing is mapped here. Windows lists such ranges, too.
func (g *Region) Free() bool { return g.State == Free }

// Contains reports whether an address lies in the region.
func (g *Region) Contains(addr uint64) bool { return g.Start <= addr && addr <= g.Last }

// RegionAt returns the region of an address, or nil.
func (p *Process) RegionAt(addr uint64) *Region {
	i, exact := slices.BinarySearchFunc(p.Regions, addr, func(g Region, a uint64) int { return cmp.Compare(g.Start, a) })
	if !exact {
		i--
	}
	if i < 0 || addr > p.Regions[i].Last {
		return nil
	}
	return &p.Regions[i]
}

// A Mapping is one line of /proc/PID/maps.
type Mapping struct {
	Base, End uint64 // End is exclusive
	Access    string // "rwxp": p for a private mapping, s for a shared one
	Offset    uint64 // in the file
	Device    string // "08:01"
	Inode     uint64
	Name      string // path, "[stack]", or "" for anonymous memory
}

// ParseMapping reads a line of /proc/PID/maps, "00400000-0040b000 r-xp 00000000 08:01 131 /bin/cat". It reports false for any other line.
//
// Spec: proc_pid_maps(5).
func ParseMapping(line string) (Mapping, bool) {
	span, rest, _ := strings.Cut(line, " ")
	first, last, ok := strings.Cut(span, "-")
	base, err1 := strconv.ParseUint(first, 16, 64)
	end, err2 := strconv.ParseUint(last, 16, 64)
	if !ok || err1 != nil || err2 != nil {
		return Mapping{}, false
	}
	m := Mapping{Base: base, End: end}
	var offset, inode string
	m.Access, rest, _ = strings.Cut(rest, " ")
	offset, rest, _ = strings.Cut(rest, " ")
	m.Device, rest, _ = strings.Cut(rest, " ")
	inode, rest, _ = strings.Cut(rest, " ")
	m.Offset, err1 = strconv.ParseUint(offset, 16, 64)
	m.Inode, err2 = strconv.ParseUint(inode, 10, 64)
	// A name may contain spaces, also at its end.
	m.Name = strings.ToValidUTF8(strings.TrimLeft(rest, " "), "\ufffd")
	return m, len(m.Access) >= 3 && err1 == nil && err2 == nil
}

// MapsText returns /proc/PID/maps. On 64-bit systems the kernel puts names at column 73.
//
// Source: Linux, fs/proc/task_mmu.c, show_vma_header_prefix.
func MapsText(list []Mapping) string {
	const nameColumn = 73
	var text []byte
	for _, m := range list {
		start := len(text)
		text = fmt.Appendf(text, "%08x-%08x %s %08x %s %d ", m.Base, m.End, m.Access, m.Offset, m.Device, m.Inode)
		if m.Name != "" {
			text = append(text, strings.Repeat(" ", max(1, nameColumn-(len(text)-start)))...)
			text = append(text, m.Name...)
		}
		text = append(text, '\n')
	}
	return string(text)
}

// SetRegions sets the regions, by the mappings of a Linux process if there is no other list. It sorts
// them and resolves overlaps: an address has the protection of the region that starts last.
func (p *Process) SetRegions(list []Region, maps []Mapping) {
	if len(list) == 0 {
		for _, m := range maps {
			if m.End > m.Base {
				list = append(list, Region{
					Start: m.Base, Last: m.End - 1, Access: m.Access[:3], State: Committed, Kind: mappingKind(m.Name), Name: m.Name,
				})
			}
		}
	}
	var t ranges.Table
	for i, g := range list {
		t.Add(g.Start, g.Last-g.Start+1, int64(i))
	}
	t.Finish()
	p.Regions = make([]Region, t.Len())
	for i := range p.Regions {
		r := t.Range(i)
		p.Regions[i] = list[r.Value]
		p.Regions[i].Start, p.Regions[i].Last = r.Start, r.Last()
	}
}

// mappingKind distinguishes mapped files from private memory.
func mappingKind(name string) string {
	switch {
	case strings.HasPrefix(name, "[stack"):
		return Stack
	case strings.HasPrefix(name, "/"):
		return Mapped
	}
	return Private
}
