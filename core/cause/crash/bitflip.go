package crash

import (
	"fmt"
	"sort"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Confidences of single observations are rust-minidump's, so that numbers can
// be compared between reports. They are variables because arithmetic on Go's
// constants is exact, and on its 32-bit numbers rounds in every step.
var (
	likely   float32 = 0.90
	even     float32 = 0.50
	unlikely float32 = 0.25

	// nearbyFlip is the confidence by the number of registers near the address.
	nearbyFlip = [4]float32{even, plus(even, 0.05), plus(even, 0.1), plus(even, 0.15)}
)

func plus(a, b float32) float32 { return a + b }

const (
	nearby = 1 << 12    // registers this close to an address support it
	low    = 2 * nearby // addresses up to here are numbers more often than pointers
)

// bitFlips searches for valid addresses one bit away from a bad one. About one in twenty crashes of a
// browser in the field is caused by bad memory. On 32-bit CPUs nearly every address has such
// neighbours.
//
// The method and its numbers are rust-minidump's. rust-minidump leaves out arm64 and riscv64:
// without a decoder, a null pointer with an offset of a power of two looks like a flipped bit. This
// package has a decoder for both, and searches there if it decoded the instruction.
func (s *facts) bitFlips() {
	arch := s.in.Arch
	if arch.Word != 8 || s.in.Exception.Unknown || (arch.IsARM64() || arch.IsRISCV64()) && !s.decoded {
		return
	}
	r := flipRange{first: 0, end: 64}
	addr := s.Address
	switch {
	case s.Adjusted != nil && s.Adjusted.Null:
		return
	case s.Adjusted != nil:
		addr, r = s.Adjusted.Value, flipRange{first: 48, end: 64, nonCanonical: true}
	case arch.IsAMD64() || arch.IsARM64():
		r.end = 48
	}
	size, reported := 0, s.reported(s.Address)
	for _, a := range s.Accesses {
		if last := saturate(a.Address, uint64(a.Size)); a.Address <= reported && reported < last {
			// Bits of the computed address may have flipped. The address of the last byte only
			// follows from it.
			addr, size = a.Address, a.Size
			break
		}
	}
	s.BitFlips = s.flips(addr, cpu.None, r, size)
	for _, reg := range s.baseRegs {
		if v, ok := s.regs.Get(reg); ok {
			s.BitFlips = append(s.BitFlips, s.flips(v, reg, r, size)...)
		}
	}
}

// saturate is a+b, or the largest address.
func saturate(a, b uint64) uint64 {
	if b > ^uint64(0)-a {
		return ^uint64(0)
	}
	return a + b
}

// A flipRange is the range of bits that are tried.
type flipRange struct {
	first, end   uint
	nonCanonical bool
}

// flips tries the bits of one address. On arm64 the bits above the address are a tag or a
// signature, which differ between good pointers; findPointerAuth judges them.
func (s *facts) flips(addr uint64, reg cpu.Reg, r flipRange, size int) []BitFlip {
	if s.in.Arch.IsARM64() {
		addr &= arm64Address
	}
	op := s.windowsAccess()
	if g := s.regionAt(addr); g != nil && allows(g, op) {
		return nil
	}
	// Next to a mapping: the access went one element too far.
	if d, ok := s.distance(addr, op); ok && d < uint64(size) {
		return nil
	}
	var found []BitFlip
	for bit := r.first; bit < r.end; bit++ {
		try := addr ^ 1<<bit
		// Null was probably meant if a check for null is wrong.
		if try == 0 {
			found = append(found, s.flip(try, addr, reg, r))
		}
		if g := s.regionAt(try); g != nil && allows(g, op) {
			found = append(found, s.flip(try, addr, reg, r))
		}
	}
	return found
}

// flip judges one candidate.
func (s *facts) flip(addr, original uint64, reg cpu.Reg, r flipRange) BitFlip {
	b := BitFlip{Address: addr, NonCanonical: r.nonCanonical, Null: addr == 0}
	if reg != cpu.None {
		b.Register = s.in.Arch.RegName(reg)
	}
	b.Low = b.Null && original <= low
	for reg, v := range s.regs.All() {
		if reg == s.in.Arch.Flags() {
			continue
		}
		// A low address is near many values.
		if addr > low && distance(addr, s.untagged(v)) <= nearby {
			b.NearbyRegisters++
			b.nearPC = b.nearPC || reg == s.in.Arch.PC
		}
		b.Poison = b.Poison || repeatedPoison(v)
	}
	b.Confidence = b.confidence()
	return b
}

// poisonBytes are the fill bytes that rust-minidump knows: those of
// SpiderMonkey (js/src/util/Poison.h), 0xa5 of jemalloc, 0xe5 of mozjemalloc.
var poisonBytes = [...]byte{
	0x2b, 0x2d, 0x2f, 0x49, 0x4b, 0x4d, 0x4f, 0x6b, 0x8b, 0x9b, 0x9f, 0xa5, 0xbb, 0xcc, 0xcd, 0xce, 0xdb, 0xe5,
}

// repeatedPoison reports whether v is a fill byte repeated eight times.
func repeatedPoison(v uint64) bool {
	for _, b := range poisonBytes {
		if v == uint64(b)*0x0101_0101_0101_0101 {
			return true
		}
	}
	return false
}

// confidence is one minus the product of the doubts. The conversions prevent the compiler from
// fusing two operations into one with another rounding.
func (b *BitFlip) confidence() float32 {
	doubt := 1 - unlikely // to begin with
	if b.NonCanonical {
		doubt = float32(doubt * (1 - likely))
	}
	if b.Null {
		v := even
		if b.Low {
			v = float32(v * even)
		}
		doubt = float32(doubt * (1 - v))
	}
	if n := min(int(b.NearbyRegisters), len(nearbyFlip)); n > 0 {
		doubt = float32(doubt * (1 - nearbyFlip[n-1]))
	}
	c := 1 - doubt
	if b.Poison {
		c = float32(c * even)
	}
	return c
}

// regionAt returns the region that contains addr, or nil.
func (s *facts) regionAt(addr uint64) *process.Region {
	if i := s.regionIndex(addr); i >= 0 {
		return &s.in.Regions[i]
	}
	return nil
}

// regionIndex is the index of that region, or -1.
func (s *facts) regionIndex(addr uint64) int {
	list := s.in.Regions
	i := sort.Search(len(list), func(i int) bool { return list[i].Start > addr }) - 1
	if i < 0 || !list[i].Contains(addr) {
		return -1
	}
	return i
}

// distance returns how far addr is from the nearest region that allows op.
func (s *facts) distance(addr uint64, op cpu.Access) (best uint64, ok bool) {
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if !allows(g, op) {
			continue
		}
		d := uint64(0)
		switch {
		case addr < g.Start:
			d = g.Start - addr
		case addr > g.Last:
			d = addr - g.Last
		}
		if !ok || d < best {
			best, ok = d, true
		}
	}
	return best, ok
}

// findBitFlip reports the most probable bit flip, if it is probable enough.
func (s *facts) findBitFlip() []candidate {
	best := -1
	for i := range s.BitFlips {
		if best < 0 || s.BitFlips[i].Confidence > s.BitFlips[best].Confidence {
			best = i
		}
	}
	if best < 0 || !s.fault.memory || !s.fault.known {
		return nil
	}
	b := &s.BitFlips[best]
	// The program counter is always near a module; alone it supports nothing.
	supported := b.NearbyRegisters > 1 || b.NearbyRegisters == 1 && !b.nearPC
	if b.Confidence < 0.5 || !supported && !b.NonCanonical {
		return nil
	}
	text := fmt.Sprintf("The address is one bit away from %s", hex(b.Address))
	if b.Register != "" {
		text = fmt.Sprintf("Register %s is one bit away from %s", b.Register, hex(b.Address))
	}
	text += map[bool]string{true: ", which is null.", false: ", in " + s.describe(b.Address) + "."}[b.Null]
	evidence := []string{text}
	if b.NearbyRegisters > 0 {
		evidence = append(evidence, fmt.Sprintf("Registers with values close to that: %d.", b.NearbyRegisters))
	}
	return observation(Finding{Kind: BitFlipped, Text: "Possible bit flip", Confidence: b.Confidence, Evidence: evidence})
}
