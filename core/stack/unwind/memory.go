package unwind

// A ReadUse is the purpose of a read.
type ReadUse uint8

// The uses of a read.
const (
	Used    ReadUse = iota // its value decided
	Scanned                // it was examined as a possible return address
	Code                   // it is an instruction
)

var useNames = [...]string{"used", "scanned", "code"}

// String is the code that reports have for it.
func (u ReadUse) String() string { return useNames[u] }

// A Read is memory that a step read, as one number.
type Read struct {
	Address, Value uint64
	Size           int // in bytes; 0 for a word of the CPU
	Use            ReadUse
}

// A Blanked is memory some of whose words were removed from the file. Placeholder returns what the file
// has in place of one.
type Blanked interface {
	Placeholder(addr uint64, size int) (uint64, bool)
}

// placeholder passes for a removed word where the walk does not need its value: in a scan, which passes
// over it, and as a text, which is no address. A zero would end a chain, and is no code.
func (w *walk) placeholder(addr uint64, size int, use ReadUse) (v uint64, ok bool) {
	if b, has := w.in.Memory.(Blanked); has && use != Code {
		v, ok = b.Placeholder(addr, size)
	}
	return v, ok && (use == Scanned || v != 0)
}

// load is the only function of a walk that reads memory.
func (w *walk) load(addr uint64, size int, use ReadUse) (uint64, bool) {
	if w.in.Memory == nil {
		return 0, false
	}
	w.reads++
	addr &= w.Mask()
	v, ok := w.in.Memory.Word(addr, size)
	w.blank = false
	if !ok {
		v, ok = w.placeholder(addr, size, use)
		w.blank = ok
	}
	if size == w.Word {
		size = 0
	}
	if ok && !w.blank {
		w.read(Read{addr, v, size, use})
	}
	if ok && w.in.Read != nil {
		w.in.Read(Read{addr, v, size, use})
	}
	return v, ok
}

func (w *walk) word(addr uint64) (uint64, bool) { return w.load(addr, w.Word, Used) }

// peek is word for a search, whose words mostly do not matter.
func (w *walk) peek(addr uint64) (uint64, bool) { return w.load(addr, w.Word, Scanned) }

// code reads four bytes of code. All CPUs that use their value are little-endian.
func (w *walk) code(addr uint64) (uint32, bool) {
	v, ok := w.load(addr, 4, Code)
	return uint32(v), ok
}

// codeBytes reads up to n bytes of code from addr on, in steps of four.
func (w *walk) codeBytes(out []byte, addr uint64, n int) []byte {
	for len(out) < n {
		v, ok := w.code(addr + uint64(len(out)))
		if !ok {
			break
		}
		out = append(out, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return out
}

// sameStack reports whether two addresses lie in one run of captured memory, or the runs are
// unknown.
func (w *walk) sameStack(a, b uint64) bool {
	r, ok := w.in.Memory.(Ranger)
	if !ok {
		return true
	}
	base, size, ok := r.Range(a)
	return !ok || b-base <= size
}
