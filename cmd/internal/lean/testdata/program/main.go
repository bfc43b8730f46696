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

// recovers has no pointer: a call by way of one goes through a wrapper.
type recovers struct{ said *string }

func (r recovers) end() { *r.said = fmt.Sprint(recover()) }

// forwards has a method that is inlined into its wrapper and calls another one, which then may not recover.
type forwards struct{ to recovers }

func (f forwards) end() { f.to.end() }

func ends(with interface{ end() }, i int) {
	defer with.end()
	fails(nil, i)
}

func wrapped() (first, second string) {
	ends(&recovers{&first}, 1)
	defer func() { second += fmt.Sprint(" then ", recover()) }()
	ends(&forwards{recovers{&second}}, 2)
	return
}

func main() {
	fmt.Println(wrapped())
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
