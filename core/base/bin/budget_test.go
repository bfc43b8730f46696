package bin

import "testing"

func TestBudget(t *testing.T) {
	b := NewBudget(10)
	b.Add(5)
	for _, tt := range []struct {
		spend    int64
		ok, over bool
		left     int64
	}{{spend: 10, ok: true, left: 5}, {spend: 5, ok: true, left: 0}, {spend: 0, ok: true, left: 0}, {spend: 1, over: true, left: -1}, {spend: 0, over: true, left: -1}} {
		if ok := b.Spend(tt.spend); ok != tt.ok || b.Exceeded() != tt.over || b.left.Load() != tt.left {
			t.Errorf("%d: %v, over %v, %d left", tt.spend, ok, b.Exceeded(), b.left.Load())
		}
	}
	var none *Budget
	if !none.Spend(1<<62) || !none.Spend(1<<62) || none.Exceeded() {
		t.Error("no Budget ends")
	}
}
