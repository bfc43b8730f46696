// Package parallel lists what takes long to make: several goroutines make the items, and one uses
// them in their order. It limits no memory, so items should be small or few.
package parallel

import (
	"runtime"

	"crashglass/core/base/bug"
)

// maxWorkers bounds how many items are made at once. One more is in use.
const maxWorkers = 2

// Workers is how many goroutines should make n items.
func Workers(n int) int { return min(runtime.GOMAXPROCS(0), maxWorkers, n) }

// Each makes n items in one goroutine for each of makers, and calls use for each in their order. Its
// error ends that. A panic while an item is made is the error. An item is no longer used when
// the same goroutine has made the one after the next, so two may share memory in turn.
func Each[T any](n int, makers []func(i int) T, use func(item T) error) error {
	done := make(chan struct{})
	defer close(done)
	var parts []chan made[T]
	for w, maker := range makers {
		part := make(chan made[T])
		parts = append(parts, part)
		go makeEach(w, n, len(makers), maker, part, done)
	}
	for i := range n {
		m := <-parts[i%len(parts)]
		if m.err != nil {
			return m.err
		}
		if err := use(m.item); err != nil {
			return err
		}
	}
	return nil
}

// A made is an item, or the panic while it was made.
type made[T any] struct {
	item T
	err  error
}

// makeEach makes every so many items, from the first on.
func makeEach[T any](first, n, step int, maker func(i int) T, to chan<- made[T], done <-chan struct{}) {
	for i := first; i < n; i += step {
		select {
		case to <- safely(maker, i):
		case <-done:
			return
		}
	}
}

// safely makes an item in a goroutine whose panic would end the program.
func safely[T any](maker func(i int) T, i int) (m made[T]) {
	defer bug.Catch(&m.err)
	m.item = maker(i)
	return m
}
