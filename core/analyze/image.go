package analyze

import (
	"crashglass/core/process"
	"crashglass/core/stack/symbolize"
)

// A memory reads a dump's memory. It fills gaps with code from the module's file, if that is
// available: a dump rarely has more code than a few hundred bytes around each program counter.
type memory struct {
	*process.Memory
	a      *analysis
	onRead func(addr uint64, size int) // Options.Read, nil for walks
}

// Word reads a number in the target's byte order.
func (m memory) Word(addr uint64, size int) (uint64, bool) {
	m.a.budget.words--
	if m.onRead != nil {
		m.onRead(addr, size)
	}
	if v, ok := m.Memory.Word(addr, size); ok {
		return v, true
	}
	if size != 1 && size != 2 && size != 4 && size != 8 || m.a.image(addr) == nil {
		return 0, false
	}
	data := m.bytes(addr, size)
	if len(data) < size {
		return 0, false
	}
	return m.Number(data), true
}

// Placeholder implements unwind.Blanked.
func (m memory) Placeholder(addr uint64, size int) (uint64, bool) {
	if m.a.blank == nil {
		return 0, false
	}
	return m.a.blank.Word(addr, size)
}

// bytes returns up to size bytes at addr without a gap.
func (m memory) bytes(addr uint64, size int) []byte {
	data := make([]byte, min(max(size, 0), MaxRead))
	done := 0
	for done < len(data) {
		n := m.Memory.Read(addr+uint64(done), data[done:])
		if n == 0 {
			n = m.code(addr+uint64(done), data[done:])
		}
		if n == 0 {
			break
		}
		done += n
	}
	return data[:done]
}

// code copies code from a module's file, up to the next captured byte of the dump.
func (m memory) code(addr uint64, p []byte) int {
	image := m.a.image(addr)
	if image == nil {
		return 0
	}
	if next, ok := m.Next(addr); ok && next-addr < uint64(len(p)) {
		p = p[:next-addr]
	}
	return m.a.code.read(image, m.a.modules.At(addr), addr, p)
}

// image returns the file of the module at addr, if it is available, or nil.
func (a *analysis) image(addr uint64) symbolize.Image {
	if mod := a.modules.At(addr); mod != nil {
		if source := a.images.of(mod).source; source != nil {
			return source
		}
	}
	return nil
}

// Code returns a reader of the code of modules' files. It copies code that the dump lacks, up to the
// next gap or captured byte, and returns the number of bytes.
func (s *Session) Code(files Symbols) func(addr uint64, p []byte) int {
	return s.analysis(files, Options{}).read.code
}
