package lzxpack

import (
	"cmp"
	"slices"
)

// A code is a canonical Huffman code: the lengths alone define it, so only they are in the file.
type code struct {
	lengths []int    // bits by symbol; 0 for a symbol that does not occur
	codes   []uint32 // the lowest bits
}

// write writes one symbol, which must occur in the counts that the code was made of.
func (c code) write(w *bitWriter, symbol int) { w.write(c.codes[symbol], c.lengths[symbol]) }

// codeOf makes a code of up to most bits. A code in use has at least two symbols, because decoders
// require that. While the longest code is too long, it halves the counts, which flattens the tree.
func codeOf(counts []int, most int, needed bool) code {
	counts = slices.Clone(counts)
	used := 0
	for _, n := range counts {
		used += min(n, 1)
	}
	for i := 0; used < 2 && (needed || used == 1); i++ {
		if counts[i] == 0 {
			counts[i] = 1
			used++
		}
	}
	for {
		c := code{lengths: lengthsOf(counts), codes: make([]uint32, len(counts))}
		if slices.Max(c.lengths) <= most {
			c.number()
			return c
		}
		for i, n := range counts {
			counts[i] = (n + 1) / 2
		}
	}
}

// number assigns codes to symbols: by length and, among equal lengths, in the order of symbols.
func (c code) number() {
	next := uint32(0)
	for bits := 1; bits <= 16; bits++ {
		next <<= 1
		for symbol, n := range c.lengths {
			if n == bits {
				c.codes[symbol] = next
				next++
			}
		}
	}
}

// A node is a subtree of a Huffman code.
type node struct {
	count, order int   // order is its first symbol, so that equal counts have one result
	symbols      []int // at its leaves
}

// lengthsOf returns the lengths of a Huffman code. Each time two subtrees are joined, the codes of
// all symbols in them become one bit longer.
func lengthsOf(counts []int) []int {
	out := make([]int, len(counts))
	var heap []node
	for symbol, n := range counts {
		if n > 0 {
			heap = append(heap, node{n, symbol, []int{symbol}})
		}
	}
	for len(heap) > 1 {
		slices.SortFunc(heap, func(a, b node) int { return cmp.Or(a.count-b.count, a.order-b.order) })
		both := node{heap[0].count + heap[1].count, heap[0].order, slices.Concat(heap[0].symbols, heap[1].symbols)}
		for _, symbol := range both.symbols {
			out[symbol]++
		}
		heap = append(heap[2:], both)
	}
	return out
}

// lengths writes the lengths of a tree as differences from those of the previous block, modulo 17,
// with a Huffman code of 20 symbols: 0 to 16 are differences, 17 and 18 runs of zeros, and 19 a run of
// one difference ([MS-PATCH] 2.7). The lengths of that code come first, with 4 bits each.
func (p *packer) lengths(before, now []int) {
	type symbol struct {
		value, more, bits int // more is the length of a run, in bits bits
		delta             int // behind a run of the same difference
	}
	var all []symbol
	delta := func(i int) int { return (before[i] - now[i] + 17) % 17 }
	for i := 0; i < len(now); {
		zeros, same := 0, 0
		for i+zeros < len(now) && now[i+zeros] == 0 && zeros < 51 {
			zeros++
		}
		for i+same < len(now) && delta(i+same) == delta(i) && now[i+same] == now[i] && before[i+same] == before[i] && same < 5 {
			same++
		}
		switch {
		case zeros >= 20:
			all = append(all, symbol{18, zeros - 20, 5, -1})
			i += zeros
		case zeros >= 4:
			zeros = min(zeros, 19)
			all = append(all, symbol{17, zeros - 4, 4, -1})
			i += zeros
		case same >= 4:
			all = append(all, symbol{19, same - 4, 1, delta(i)})
			i += same
		default:
			all = append(all, symbol{delta(i), 0, 0, -1})
			i++
		}
	}
	counts := make([]int, 20)
	for _, s := range all {
		counts[s.value]++
		if s.delta >= 0 {
			counts[s.delta]++
		}
	}
	c := codeOf(counts, 15, true)
	for _, n := range c.lengths {
		p.bits.write(uint32(n), 4)
	}
	for _, s := range all {
		c.write(&p.bits, s.value)
		p.bits.write(uint32(s.more), s.bits)
		if s.delta >= 0 {
			c.write(&p.bits, s.delta)
		}
	}
	copy(before, now)
}
