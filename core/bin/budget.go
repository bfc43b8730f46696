package bin

import "sync/atomic"

// A Budget is how much work, or memory, a file may still cost. Small files can
// refer to one large record from everywhere, so what counts is what is done,
// and not how large the file is. It may be used from several goroutines at
// once. A nil Budget never ends.
type Budget struct{ left atomic.Int64 }

// NewBudget returns a Budget of n units.
func NewBudget(n int64) *Budget {
	b := &Budget{}
	b.left.Store(n)
	return b
}

// Add makes a Budget larger.
func (b *Budget) Add(n int64) { b.left.Add(n) }

// Spend takes n units and reports whether there were as many. What was taken
// is gone also when there were not: a Budget that is exceeded stays so.
func (b *Budget) Spend(n int64) bool {
	return b == nil || b.left.Add(-n) >= 0
}

// Over reports whether more was taken than there was.
func (b *Budget) Over() bool { return b != nil && b.left.Load() < 0 }

// Left is how many units there are, 0 when it is exceeded.
func (b *Budget) Left() int64 {
	if b == nil {
		return 1<<63 - 1
	}
	return max(b.left.Load(), 0)
}
