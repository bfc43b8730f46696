package breakpad

// blockLen is the number of values in one block of a column: 64 KiB of memory,
// so that growing a column neither copies it nor leaves garbage of its size.
const blockLen = 1 << 14

// A column is a list of numbers that mostly fit in 32 bits. It takes four
// bytes for each, and eight once one did not fit.
type column struct {
	n    int
	low  [][]uint32
	high [][]uint32 // nil while all values fit
}

func (c *column) append(v uint64) {
	if v>>32 != 0 && c.high == nil {
		c.widen()
	}
	c.low = appendBlock(c.low, uint32(v))
	if c.high != nil {
		c.high = appendBlock(c.high, uint32(v>>32))
	}
	c.n++
}

func appendBlock(blocks [][]uint32, v uint32) [][]uint32 {
	last := len(blocks) - 1
	if last < 0 || len(blocks[last]) == blockLen {
		// A first block grows as it needs to: most files are small.
		var block []uint32
		if last >= 0 {
			block = make([]uint32, 0, blockLen)
		}
		blocks = append(blocks, block)
		last++
	}
	blocks[last] = append(blocks[last], v)
	return blocks
}

func (c *column) widen() {
	c.high = make([][]uint32, 0, len(c.low))
	for _, b := range c.low {
		c.high = append(c.high, make([]uint32, len(b), max(cap(b), 1)))
	}
}

func (c *column) at(i int) uint64 {
	v := uint64(c.low[i/blockLen][i%blockLen])
	if c.high != nil {
		v |= uint64(c.high[i/blockLen][i%blockLen]) << 32
	}
	return v
}

func (c *column) swap(i, j int) {
	swapIn(c.low, i, j)
	if c.high != nil {
		swapIn(c.high, i, j)
	}
}

func swapIn(b [][]uint32, i, j int) {
	p, q := &b[i/blockLen][i%blockLen], &b[j/blockLen][j%blockLen]
	*p, *q = *q, *p
}

// upTo returns how many of the values, which must ascend, are at most v.
func (c *column) upTo(v uint64) int {
	lo, hi := 0, c.n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.at(mid) <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// bytes is the memory that the column takes up.
func (c *column) bytes() int {
	n := 0
	for _, b := range c.low {
		n += 4 * cap(b)
	}
	for _, b := range c.high {
		n += 4 * cap(b)
	}
	return n
}
