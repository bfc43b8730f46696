package text

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Maps adds the files with code that lines of /proc/PID/maps name: "7f2c31c1b000-7f2c31c1d000 r-xp 00001000 fe:01 1234  /usr/lib/liba.so".
// Lines of one file follow one another, perhaps with memory between them, and the first one is its base. Other lines are passed over.
//
// Source: Linux, fs/proc/task_mmu.c (show_map_vma).
func (d *Draft) Maps(lines []string) {
	var file Image
	code := false
	flush := func() {
		if code {
			d.Image(file)
		}
	}
	for _, line := range lines {
		start, rest, ok := Hex(line)
		rest, dash := strings.CutPrefix(rest, "-")
		end, rest, also := Hex(rest)
		path := rest
		for range 4 { // access, offset, device, inode
			_, path, _ = strings.Cut(strings.TrimLeft(path, " "), " ")
		}
		path = strings.TrimSuffix(strings.TrimSpace(path), " (deleted)")
		if !ok || !dash || !also || end <= start || !strings.HasPrefix(path, "/") {
			continue
		}
		if path != file.Path || start < file.Base {
			flush()
			file, code = Image{Path: path, Base: start, HasBase: true}, false
		}
		file.Size, code = max(file.Size, end-file.Base), code || strings.HasPrefix(strings.TrimLeft(rest, " -rw"), "x")
	}
	flush()
}

// Memory collects memory that a report prints.
type Memory struct {
	data   []byte
	ranges []process.Range
}

const (
	maxMemory = 1 << 20 // bytes of memory of one report
	maxRow    = 256     // bytes of memory in one line
)

// Add adds bytes at an address.
func (m *Memory) Add(base uint64, data []byte) {
	if len(data) == 0 || len(m.data)+len(data) > maxMemory || base+uint64(len(data)) < base {
		return
	}
	m.ranges = append(m.ranges, process.Range{Base: base, Location: process.Location{RVA: uint64(len(m.data)), Size: uint64(len(data))}})
	m.data = append(m.data, data...)
}

// Row adds a line of a dump in hex, "0x00007ffc04a0:   00007f2c31c1c125 00007f2c31d1e860" or "=>0x00007f2c31c1c10c:  8b 04 b7 c3". A word of
// several bytes is a number of a little-endian CPU. The first word that is none ends the row. It reports false for other lines.
func (m *Memory) Row(line string) bool {
	at, words, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "=>"), ":")
	base, isHex := IsHex(at)
	if !ok || !isHex {
		return false
	}
	var data []byte
	for _, word := range strings.Fields(words) {
		v, isHex := IsHex(word)
		if !isHex || len(word)%2 != 0 || len(data) >= maxRow {
			break
		}
		data = append(data, binary.LittleEndian.AppendUint64(nil, v)[:len(word)/2]...)
	}
	m.Add(base, data)
	return true
}

// Of makes it the memory of a process.
func (m *Memory) Of(p *process.Process) {
	if len(m.ranges) > 0 {
		data := slices.Clone(m.data)
		p.Memory = process.NewMemory(process.NewPager(bin.NewSource(bytes.NewReader(data), int64(len(data)))), false, m.ranges, p.Note)
	}
}

// Registers reads pairs of names and hexadecimal values from a line into regs: "x0  0000007a2c1fe8e0  x1 …",
// "rax: 0x10 rbx: 0x20", "rax = 0x10". It returns the number of registers that the CPU has.
func Registers(line string, arch *cpu.Arch, regs *cpu.Regs) (n int) {
	words := strings.Fields(strings.NewReplacer(":", " ", "=", " ", ",", " ").Replace(line))
	for i := 0; i+1 < len(words); i++ {
		reg, known := arch.Reg(strings.ToLower(words[i]))
		v, number := IsHex(words[i+1])
		if known && number {
			regs.Set(reg, v&arch.Mask())
			n++
			i++
		}
	}
	return n
}
