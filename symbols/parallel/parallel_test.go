package parallel

import (
	"errors"
	"fmt"
	"testing"
)

// Items are used in their order, however many make them. An error of use and a panic end that.
func TestEach(t *testing.T) {
	square := func(i int) int {
		if i == 40 {
			panic("forty")
		}
		return i * i
	}
	stop := errors.New("stop")
	for workers := 1; workers <= 3; workers++ {
		var makers []func(int) int
		for range workers {
			makers = append(makers, square)
		}
		for _, tt := range []struct {
			n, stop int
			used    int
			err     string
		}{{0, -1, 0, ""}, {1, -1, 1, ""}, {40, -1, 40, ""}, {40, 7, 7, "stop"}, {50, -1, 40, "forty"}} {
			used := 0
			err := Each(tt.n, makers, func(v int) error {
				if used == tt.stop {
					return stop
				}
				if v != used*used {
					t.Errorf("item %d is %d", used, v)
				}
				used++
				return nil
			})
			if used != tt.used || (err == nil) != (tt.err == "") || err != nil && tt.err == "stop" && err != stop {
				t.Errorf("%d workers: %d of %d items, %v", workers, used, tt.n, fmt.Sprint(err))
			}
		}
	}
}
