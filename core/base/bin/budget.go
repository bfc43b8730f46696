package bin

import "sync/atomic"

// A Budget is the work, or memory, that a file may still cost. A small file can refer to one large
// record from everywhere, so the limit counts the work done and not the file's size. It may be used
// from several goroutines at once. A nil Budget never ends.
type Budget struct{ left atomic.Int64 }

// NewBudget returns a Budget of n units.
func NewBudget(n int64) *Budget {
	b := &Budget{}
	b.left.Store(n)
	return b
}

// Add makes a Budget larger.
func (b *Budget) Add(n int64) { b.left.Add(n) }

// Spend takes n units and reports whether the Budget had as many. It takes them in any case: a
// Budget that is exceeded stays exceeded.
func (b *Budget) Spend(n int64) bool {
	return b == nil || b.left.Add(-n) >= 0
}

// Exceeded reports whether the Budget is exceeded.
func (b *Budget) Exceeded() bool { return b != nil && b.left.Load() < 0 }

// Left returns the number of units left, 0 if the Budget is exceeded.
func (b *Budget) Left() int64 {
	if b == nil {
		return 1<<63 - 1
	}
	return max(b.left.Load(), 0)
}
