package main

import (
	"bytes"
	"testing"
	"testing/fstest"
)

func TestLicenses(t *testing.T) {
	page := fstest.MapFS{"LICENSE.txt": {Data: []byte("ours\n")}, "THIRD_PARTY_LICENSES.txt": {Data: []byte("theirs\n")}, "PROGRAM_LICENSES.txt": {Data: []byte("more\n")}}
	var out, errs bytes.Buffer
	c := &cli{name: "licenses", out: &out, err: &errs}
	if status := c.licenses(nil, page); status != exitOK || out.String() != "ours\ntheirs\nmore\n" {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
	if status := c.licenses(nil, nil); status != exitInput || errs.String() != "crashglass: licenses: this program was built without the page; its source has LICENSE and THIRD_PARTY_LICENSES\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
}
