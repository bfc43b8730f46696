package dwarf

// left is how many units of work a file may still do. A Budget says only
// whether it is exceeded, so units are taken, the largest power of two first,
// and those that are too many are given back. Then all are given back.
func left(f *File) (n int64) {
	for unit := int64(1) << 61; unit > 0; unit /= 2 {
		if f.limits.work.Spend(unit) {
			n += unit
		} else {
			f.limits.work.Add(unit)
		}
	}
	f.limits.work.Add(n)
	return n
}
