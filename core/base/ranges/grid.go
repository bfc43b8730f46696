package ranges

import "encoding/binary"

// blockLen is the number of rows in one block of a grid. With blocks, growing a large grid neither
// copies it nor leaves garbage of its size. leastBlock is the first size of the first block,
// because most grids belong to one function and stay small.
const (
	blockLen   = 1 << 12
	leastBlock = 8
)

// A Grid is a list of rows of numbers that mostly fit in 32 bits. Each number takes four bytes, or
// eight once a number did not fit. A [Table] stores its ranges in a Grid; other lists can use one,
// too. The zero value is empty.
type Grid struct {
	n, room, width int
	low            [][]uint32 // rows one after another
	high           [][]uint32 // nil while all values fit; blocks as those of low
}

// Add appends a row of one to three values; the others are ignored. All rows
// of a grid have the same width.
func (g *Grid) Add(width int, a, b, c uint64) {
	if g.n == g.room {
		g.grow(width)
	}
	block, at := g.n/blockLen, g.n%blockLen*width
	put(g.low[block][at:], width, uint32(a), uint32(b), uint32(c))
	if (a|b|c)>>32 != 0 && g.high == nil {
		g.widen()
	}
	if g.high != nil {
		put(g.high[block][at:], width, uint32(a>>32), uint32(b>>32), uint32(c>>32))
	}
	g.n++
}

func put(row []uint32, width int, a, b, c uint32) {
	row[0] = a
	if width > 1 {
		row[1] = b
	}
	if width > 2 {
		row[2] = c
	}
}

// Reset empties the grid, and keeps its memory.
func (g *Grid) Reset() { g.n, g.high = 0, nil }

// grow doubles the first block or adds another block.
func (g *Grid) grow(width int) {
	g.width = width
	g.low = g.growBlocks(g.low)
	if g.high != nil {
		g.high = g.growBlocks(g.high)
	}
	g.room = (len(g.low)-1)*blockLen + len(g.low[len(g.low)-1])/width
}

func (g *Grid) growBlocks(blocks [][]uint32) [][]uint32 {
	switch {
	case len(blocks) == 0:
		return append(blocks, make([]uint32, leastBlock*g.width))
	case len(blocks) == 1 && len(blocks[0]) < blockLen*g.width:
		larger := make([]uint32, 2*len(blocks[0]))
		copy(larger, blocks[0])
		blocks[0] = larger
		return blocks
	}
	return append(blocks, make([]uint32, blockLen*g.width))
}

func (g *Grid) widen() {
	g.high = make([][]uint32, len(g.low))
	for i, b := range g.low {
		g.high[i] = make([]uint32, len(b))
	}
}

// At returns a value of row i.
func (g *Grid) At(i, column int) uint64 {
	k := i%blockLen*g.width + column
	v := uint64(g.low[i/blockLen][k])
	if g.high != nil {
		v |= uint64(g.high[i/blockLen][k]) << 32
	}
	return v
}

// UpTo returns the number of rows whose first value is at most v; the first column must ascend.
func (g *Grid) UpTo(v uint64) int {
	lo, hi := 0, g.n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if g.At(mid, 0) <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Len returns the number of rows.
func (g *Grid) Len() int { return g.n }

func (g *Grid) swap(i, j int) {
	g.swapIn(g.low, i, j)
	if g.high != nil {
		g.swapIn(g.high, i, j)
	}
}

func (g *Grid) swapIn(blocks [][]uint32, i, j int) {
	p := blocks[i/blockLen][i%blockLen*g.width:]
	q := blocks[j/blockLen][j%blockLen*g.width:]
	for k := range g.width {
		p[k], q[k] = q[k], p[k]
	}
}

// Bytes returns the size of the grid in memory.
func (g *Grid) Bytes() int {
	n := 4 * g.width * g.room
	if g.high != nil {
		n *= 2
	}
	return n
}

// Width returns the number of values in a row; 0 before the first row.
func (g *Grid) Width() int { return g.width }

// Wide reports whether a value takes eight bytes.
func (g *Grid) Wide() bool { return g.high != nil }

// AppendTo appends all values to out, in little-endian order, of four bytes or,
// where the grid is wide, of eight.
func (g *Grid) AppendTo(out []byte) []byte {
	for b, left := 0, g.n*g.width; left > 0; b++ {
		low := g.low[b][:min(left, len(g.low[b]))]
		for i, v := range low {
			out = binary.LittleEndian.AppendUint32(out, v)
			if g.high != nil {
				out = binary.LittleEndian.AppendUint32(out, g.high[b][i])
			}
		}
		left -= len(low)
	}
	return out
}
