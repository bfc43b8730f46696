package lzx

import "errors"

// lengths are how many bits the codes of a tree have, by symbol; 0 for none.
// They are written as differences from those of the tree before.
type lengths []uint8

// Symbols of the tree that lengths are written in ([MS-PATCH] 2.7).
const (
	deltaSymbols = 20
	deltaModulo  = 17
	zeros        = 17 // 4 to 19 codes without a length
	manyZeros    = 18 // 20 to 51
	alike        = 19 // 4 or 5 with the same difference
)

var errLengths = errors.New("lengths of codes reach beyond their tree")

// read reads the lengths of a part of a tree.
func (l lengths) read(d *Decoder) error {
	first := make(lengths, deltaSymbols)
	for i := range first {
		first[i] = uint8(d.in.read(4))
	}
	t := &d.trees.delta
	if err := t.build(first); err != nil {
		return err
	}
	for i := 0; i < len(l); {
		n, length, err := l.next(d, i)
		if err != nil {
			return err
		}
		if n > len(l)-i {
			return errLengths
		}
		for range n {
			l[i] = length
			i++
		}
	}
	return nil
}

// next reads one symbol, which gives the lengths of one or more codes from i on.
func (l lengths) next(d *Decoder, i int) (n int, length uint8, err error) {
	symbol, err := d.trees.delta.read(&d.in)
	if err != nil {
		return 0, 0, err
	}
	switch symbol {
	case zeros:
		return int(d.in.read(4)) + 4, 0, nil
	case manyZeros:
		return int(d.in.read(5)) + 20, 0, nil
	case alike:
		n = int(d.in.read(1)) + 4
		if symbol, err = d.trees.delta.read(&d.in); err != nil {
			return 0, 0, err
		}
		if symbol >= deltaModulo {
			return 0, 0, errLengths
		}
		return n, l.less(i, symbol), nil
	}
	return 1, l.less(i, symbol), nil
}

// less is a length from which a difference was taken.
func (l lengths) less(i, difference int) uint8 {
	return uint8((int(l[i]) + deltaModulo - difference) % deltaModulo)
}
