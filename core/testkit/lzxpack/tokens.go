package lzxpack

import "slices"

// A token is a literal or a match, as symbols and bits.
type token struct {
	main   int    // a byte, or 256 plus the slot and a short length
	length int    // of a long match; -1 for none
	low    uint32 // extra bits of the position
	extra  int    // their number
	end    int    // offset of the data behind it
}

// extraOf returns the number of extra bits of a position slot: none up to slot 3, one more for each second
// slot, and 17 from slot 36 on ([MS-PATCH] 2.4).
func extraOf(slot int) int { return max(0, min(slot/2-1, 17)) }

// slots returns the number of slots of a window of 1<<bits bytes.
func slots(bits int) (n int) {
	for slotAt(n) < 1<<bits {
		n++
	}
	return n
}

// slotAt returns the first position of a slot, which is the sum of the slots before it.
func slotAt(slot int) (at uint32) {
	for s := range slot {
		at += 1 << extraOf(s)
	}
	return at
}

// key is three bytes as a number, and not ok at the end of the data.
func (p *packer) key(at int) (k uint32, ok bool) {
	if at+3 > len(p.data) {
		return 0, false
	}
	return uint32(p.data[at])<<16 | uint32(p.data[at+1])<<8 | uint32(p.data[at+2]), true
}

// see remembers where the three bytes at an offset were seen last, for later matches.
func (p *packer) see(at int) {
	if k, ok := p.key(at); ok {
		p.seen[k] = at
	}
}

// tokens divides the data of a block into tokens. No match reaches beyond the block or its frame.
func (p *packer) tokens(at, end int) (out []token) {
	for at < end {
		most := min(257, end-at, frameSize-at%frameSize)
		back, n := p.match(at, most)
		if n < 2 {
			p.see(at)
			at++
			out = append(out, token{main: int(p.data[at-1]), length: -1, end: at})
			continue
		}
		for i := range n {
			p.see(at + i)
		}
		at += n
		out = append(out, p.tokenOf(back, n, at))
	}
	return out
}

// match returns the longest of a few candidates, and its distance: those at the three latest
// distances, and where the same three bytes were last. A length of 0 means that there is none.
func (p *packer) match(at, most int) (back uint32, n int) {
	try := p.recent[:]
	if k, ok := p.key(at); ok {
		if before, ok := p.seen[k]; ok && at-before <= 1<<p.Bits-3 {
			try = append(slices.Clone(try), uint32(at-before))
		}
	}
	for _, b := range try {
		m := 0
		for int(b) <= at && m < most && p.data[at+m] == p.data[at+m-int(b)] {
			m++
		}
		if m > n {
			back, n = b, m
		}
	}
	return back, n
}

// tokenOf returns the token of a match of n bytes, back bytes before its end. One of the three latest
// distances has a slot of its own and moves to the front; any other is put there.
func (p *packer) tokenOf(back uint32, n, end int) token {
	t := token{length: -1, end: end}
	slot := slices.Index(p.recent[:], back)
	if slot >= 0 {
		p.recent[0], p.recent[slot] = p.recent[slot], p.recent[0]
	} else {
		for slot = 3; slotAt(slot+1) <= back+2; {
			slot++
		}
		t.extra, t.low = extraOf(slot), back+2-slotAt(slot)
		p.recent = [3]uint32{back, p.recent[0], p.recent[1]}
	}
	if n -= 2; n >= 7 {
		t.length, n = n-7, 7
	}
	t.main = 256 + 8*slot + n
	return t
}
