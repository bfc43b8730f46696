package goroutines

import "crashglass/core/runtimes"

// The bounds of what is read of a goroutine.
const (
	mostDeferred = 32
	mostLabels   = 32
	maxLabel     = 256
)

// deferred returns the functions of the deferred calls, the next one first. Most calls that a function defers outside of loops are in its own frame, and not
// in this list.
func (f *finder) deferred(at uint64) (out []uint64) {
	for at != 0 && len(out) < mostDeferred {
		function, ok := f.word(at + uint64(f.at[deferFunc]))
		if !ok {
			break
		}
		out = append(out, function)
		at, _ = f.word(at + uint64(f.at[deferLink]))
	}
	return out
}

// listed is the release from which on labels are a list. They were a map before.
const listed = 24

// The map of Go before 1.24, and its buckets of eight texts with eight texts. Source: Go 1.23, src/runtime/map.go (hmap, bmap).
const (
	mapLog     = 9 // the logarithm of the number of buckets
	mapBuckets = 16
	inBucket   = 8
	filled     = 5 // the least mark of an entry that is used
	textSize   = 16
	overflow   = inBucket + 2*inBucket*textSize
	bucketSize = overflow + 8
	maxLog     = 4
)

// labels reads the labels for profiles that a goroutine has.
func (f *finder) labels(at uint64) (out []runtimes.Label) {
	list, ok := f.word(at)
	if !ok {
		return nil
	}
	if f.minor >= listed {
		count, _ := f.word(at + 8)
		for i := range min(count, mostLabels) {
			out = f.label(out, list+2*textSize*i, list+2*textSize*i+textSize)
		}
		return out
	}
	log, known := f.p.Memory.Word(list+mapLog, 1)
	buckets, ok := f.word(list + mapBuckets)
	if !known || !ok || log > maxLog {
		return nil
	}
	for i := range uint64(1) << log {
		out = f.bucket(out, buckets+bucketSize*i)
	}
	return out
}

// bucket adds the labels of a bucket of the map, and of those that it overflows into.
func (f *finder) bucket(out []runtimes.Label, at uint64) []runtimes.Label {
	for n := 0; at != 0 && n < mostLabels/inBucket; n++ {
		var marks [inBucket]byte
		f.p.Memory.Read(at, marks[:])
		for k, mark := range marks {
			if mark >= filled {
				name := at + inBucket + textSize*uint64(k)
				out = f.label(out, name, name+inBucket*textSize)
			}
		}
		at, _ = f.word(at + overflow)
	}
	return out
}

// label adds a label.
func (f *finder) label(out []runtimes.Label, name, value uint64) []runtimes.Label {
	n, okName := f.text(name)
	v, okValue := f.text(value)
	if !okName || !okValue || n.Size == 0 || len(out) >= mostLabels {
		return out
	}
	return append(out, runtimes.Label{Name: n, Value: v})
}

// text reads the address and the length of a text.
func (f *finder) text(at uint64) (t runtimes.Text, ok bool) {
	t.Address, _ = f.word(at)
	t.Size, ok = f.word(at + 8)
	return t, ok && t.Size <= maxLabel
}
