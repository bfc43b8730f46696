package archive

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"testing"
)

// Of an archive with too many members, those up to the limit are listed, and the others are counted.
func TestBeyond(t *testing.T) {
	var many []packed
	for i := range 15 {
		many = append(many, packed{fmt.Sprintf("%d.dmp", i), []byte("MDMP"), zip.Deflate})
	}
	cab := testCab{method: 1, data: []byte("MDMP")}
	ar := "!<arch>\n"
	for i := range 15 {
		cab.files = append(cab.files, cabFile{name: many[i].name, size: 0})
		ar += fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\nMDMP", many[i].name+"/", 0, 0, 0, "644", 4)
	}
	for name, data := range map[string][]byte{"cabinet": cab.build(t), "ar": []byte(ar), "zip": zipOf(t, many...), "tar": tarOf(t, tar.FormatGNU, many...)} {
		members, err := List("x", source(data), NewBudget(Limits{Entries: 10}))
		var beyond *Beyond
		if len(members) != 10 || !errors.As(err, &beyond) || beyond.Count != 5 {
			t.Errorf("%s: %d members, %v", name, len(members), err)
		}
	}
}

// Writers such as Python's state only a number of members that is too large for a zip file, and not the size and the offset.
func TestZip64OfManyMembers(t *testing.T) {
	var many []packed
	for i := range 1 << 16 {
		many = append(many, packed{fmt.Sprint(i), nil, zip.Store})
	}
	data := zipOf(t, many...)
	end := data[len(data)-endSize:]
	end64 := data[len(data)-endSize-end64Locate-end64Size:]
	copy(end[12:], end64[40:44]) // the size
	copy(end[16:], end64[48:52]) // the offset
	if members, err := List("x.zip", source(data), NewBudget(Limits{})); len(members) != 1<<16 || err != nil {
		t.Errorf("%d members, %v", len(members), err)
	}
}
