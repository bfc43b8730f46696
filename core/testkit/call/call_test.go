package call

import "testing"

type list struct{ out []any }

func (l *list) Number(n int)     { l.out = append(l.out, n) }
func (l *list) Text(s string)    { l.out = append(l.out, s) }
func (l *list) Other(s string)   { l.out = append(l.out, s) }
func (l *list) Pair(a, b uint64) {}

func TestWith(t *testing.T) {
	var l list
	if !With(&l, 7) || len(l.out) != 1 || l.out[0] != 7 {
		t.Errorf("a number: %v", l.out)
	}
	if With(&l, "x") || With(&l, uint64(1)) || With(&l, nil) || len(l.out) != 1 {
		t.Errorf("two methods, none, or no value: %v", l.out)
	}
}
