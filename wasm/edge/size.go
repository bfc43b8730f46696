package main

import (
	"math"
	"strconv"
	"strings"
)

// units are the ways to write a size: decimal by SI, binary by IEC 80000-13.
var units = map[string]int64{
	"": 1, "b": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// parseSize reads a number of bytes with a unit or without: "1000", "2GB", "512 MiB". It refuses
// everything else, also 0: a misread limit would be no limit.
func parseSize(text string) (bytes int64, ok bool) {
	digits := strings.TrimRight(strings.ToLower(text), " bgikmt")
	unit, isUnit := units[strings.TrimSpace(strings.ToLower(text[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 63)
	if !isUnit || err != nil || n == 0 || n > math.MaxInt64/uint64(unit) {
		return 0, false
	}
	return int64(n) * unit, true
}
