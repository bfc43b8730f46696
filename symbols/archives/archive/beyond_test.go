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
