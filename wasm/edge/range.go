package main

import (
	"regexp"
	"strconv"
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
