package pe

import (
	"crashglass/core/base/bug"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/parallel"
)

// Tables are made by another goroutine in batches, which cost less to hand over than
// single tables. The first few tables are made one by one, because some callers stop
// after them.
const (
	batchSize  = 256
	batchAfter = 64
)

// tables makes the tables of a range of entries.
func (f *File) tables(from, to int, add func(*unwind.CallFrameTable) error) error {
	maker := tableMaker{f: f}
	return f.eachEntry(from, to, func(begin uint64) error {
		if t, ok := maker.table(begin); ok {
			return add(t)
		}
		return nil
	})
}

// A batch has tables, and the error that ended them.
type batch struct {
	tables []*unwind.CallFrameTable
	err    error
}

// tablesInBatches makes the next batch of tables while add uses the one before.
func (f *File) tablesInBatches(from, to int, add func(*unwind.CallFrameTable) error) error {
	maker := func(i int) (b batch) {
		defer bug.Catch(&b.err) // the tables before it stay
		at := from + i*batchSize
		b.err = f.tables(at, min(at+batchSize, to), func(t *unwind.CallFrameTable) error {
			b.tables = append(b.tables, t)
			return nil
		})
		return b
	}
	return parallel.Each((to-from+batchSize-1)/batchSize, []func(int) batch{maker}, func(b batch) error {
		for _, t := range b.tables {
			if err := add(t); err != nil {
				return err
			}
		}
		return b.err
	})
}
