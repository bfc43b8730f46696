// Program does what Go's runtime needs its tables for: stacks that grow, garbage collection, deferred calls, recovered panics.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
)

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

func deep(n int) (sum int) {
	defer func() { sum += n }()
	if n == 0 {
		return 0
	}
	var room [64]int
	room[n%64] = 1
	return deep(n-1) + room[n%64] - 1
}

//go:noinline
func fails(list []int, i int) int { return list[i] }

func caught(i int) (said string) {
	defer func() {
		var stack [8]uintptr
		frames := runtime.CallersFrames(stack[:runtime.Callers(0, stack[:])])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			if strings.HasPrefix(frame.Function, "main.fails") {
				said = fmt.Sprint(recover(), " in ", frame.Function)
			}
		}
	}()
	return fmt.Sprint(fails([]int{1, 2, 3}, i))
}

func main() {
	sums := make(chan int)
	for i := range 8 {
		go func() { sums <- deep(1000 * i) }()
	}
	var all []int
	for range 8 {
		runtime.GC()
		all = append(all, <-sums)
	}
	sort.Ints(all)
	fmt.Println(all, tree(14).count(), caught(1), caught(7))
	if len(os.Args) > 1 {
		fails(all, 100)
	}
}
