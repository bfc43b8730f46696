package pe

import (
	"crashglass/core/bug"
	"crashglass/core/unwind"
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

// tablesInBatches makes the next batch of tables while add uses the one before.
func (f *File) tablesInBatches(from, to int, add func(*unwind.CallFrameTable) error) error {
	batches, done := make(chan []*unwind.CallFrameTable), make(chan struct{})
	defer close(done)
	var failed error // read when batches is closed
	go func() {
		defer close(batches)
		for at := from; at < to && failed == nil; at += batchSize {
			var batch []*unwind.CallFrameTable
			batch, failed = f.batch(at, min(at+batchSize, to))
			select {
			case batches <- batch:
			case <-done:
				return
			}
		}
	}()
	for batch := range batches {
		for _, t := range batch {
			if err := add(t); err != nil {
				return err
			}
		}
	}
	return failed
}

// batch makes tables in a goroutine whose panic would end the program.
func (f *File) batch(from, to int) (batch []*unwind.CallFrameTable, err error) {
	defer bug.Catch(&err)
	err = f.tables(from, to, func(t *unwind.CallFrameTable) error {
		batch = append(batch, t)
		return nil
	})
	return batch, err
}
