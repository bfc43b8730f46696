package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Several ranges would be answered in multiple parts, and the page never asks for several.
var rangePattern = regexp.MustCompile(`^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$`)

// contentRange matches the byte range of a part in its file. RFC 9110, section 14.4.
var contentRange = regexp.MustCompile(`^bytes (\d{1,15})-(\d{1,15})/(\d{1,15})$`)

// strongTag matches a strong ETag, which identifies one version of a file byte for byte. RFC 9110,
// section 8.8.3.
var strongTag = regexp.MustCompile(`^"[\x21\x23-\x7e]{1,200}"$`)

// sizeOfPart is the size of the file that a part belongs to. It is not ok for a part that was not
// requested: a cache would keep such a part under the file's address, and later take it for the
// whole file.
func sizeOfPart(content, requested string) (size int64, ok bool) {
	got, want := contentRange.FindStringSubmatch(content), rangePattern.FindStringSubmatch(requested)
	if got == nil || want == nil {
		return 0, false
	}
	from, to, size := decimal(got[1]), decimal(got[2]), decimal(got[3])
	first, last := decimal(want[1]), size-1
	switch {
	case want[3] != "":
		first = max(0, size-decimal(want[3]))
	case want[2] != "":
		last = min(last, decimal(want[2]))
	}
	return size, from == first && from <= to && to <= last
}

// decimal is a number of at most 15 digits; "" is 0.
func decimal(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64) // the patterns allow nothing else
	return n
}

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
