package main

import (
	"regexp"
	"strconv"
)

// rangePattern is one range of bytes. Several would be answered in parts, which the page does not ask for.
var rangePattern = regexp.MustCompile(`^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$`)

// contentRange is the place of a part in its file. RFC 9110, section 14.4.
var contentRange = regexp.MustCompile(`^bytes (\d{1,15})-(\d{1,15})/(\d{1,15})$`)

// strongTag is an entity tag that is of one version of a file, byte for byte. RFC 9110, section 8.8.3.
var strongTag = regexp.MustCompile(`^"[\x21\x23-\x7e]{1,200}"$`)

// sizeOfPart is the size of the file that a part belongs to. It is not ok
// where no part, or another one, was asked for: kept under the address of the
// file, such a part would be taken for the whole of it.
func sizeOfPart(content, asked string) (size int64, ok bool) {
	got, want := contentRange.FindStringSubmatch(content), rangePattern.FindStringSubmatch(asked)
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
