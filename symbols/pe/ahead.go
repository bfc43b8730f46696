package pe

import (
	"crashglass/core/bug"
	"crashglass/core/unwind"
)

// Tables are made ahead in batches, which cost less to hand over than single
// ones. The first few are not: who stops early wants no more of them.
const (
	aheadBatch = 256
	aheadAfter = 64
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

// tablesAhead makes tables while add uses those before them.
func (f *File) tablesAhead(from, to int, add func(*unwind.CallFrameTable) error) error {
	batches, done := make(chan []*unwind.CallFrameTable), make(chan struct{})
	defer close(done)
	var failed error // read when batches is closed
	go func() {
		defer close(batches)
		for at := from; at < to && failed == nil; at += aheadBatch {
			var batch []*unwind.CallFrameTable
			batch, failed = f.batch(at, min(at+aheadBatch, to))
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
