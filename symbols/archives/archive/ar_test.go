package archive

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

// arMember is a member as ar writes it.
func arMember(name, data string) string {
	return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s%s", name, 0, 0, 0, 0o644, len(data), data, strings.Repeat("\n", len(data)%2))
}

// TestAr reads the names of BSD's and of GNU's ar, and leaves the tables of both out.
func TestAr(t *testing.T) {
	const long = "a_name_of_more_than_16_bytes.o"
	for _, tt := range []struct{ name, data, want string }{
		{"BSD", arMember("#1/12", "__.SYMDEF\x00\x00\x00table") + arMember("short.o", "123") + arMember("#1/32", long+"\x00\x004567"), "short.o=123 " + long + "=4567"},
		{"GNU", arMember("/", "table") + arMember("//", "other.o/\n"+long+"/\n") + arMember("short.o/", "123") + arMember("/9", "4567"), "short.o=123 " + long + "=4567"},
		{"with 64-bit symbols", arMember("/SYM64/", "table") + arMember("a.o/", "1"), "a.o=1"},
		{"a path", arMember("../b/a.o/", "1"), "a.o=1"},
		{"the last one is truncated", arMember("a.o/", "1") + arMember("b.o/", "12345678")[:64], "a.o=1 b.o=1234"},
		{"a damaged size", arMember("a.o/", "1") + strings.Replace(arMember("b.o/", "2"), "`", "x", 1) + arMember("c.o/", "3"), "a.o=1"},
		{"no such name", arMember("/9", "1") + arMember("#1/99", "1") + arMember("#1/x", "1") + arMember("a.o/", "1"), "9=1 a.o=1"},
		{"nothing", "", ""},
	} {
		data := arMagic + tt.data
		members, err := List("lib.a", bin.NewSource(strings.NewReader(data), int64(len(data))), NewBudget(Limits{}))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		var got []string
		for i := range members {
			src, err := members[i].Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := src.Read("member", 0, uint64(src.Size()))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, members[i].Name+"="+string(content))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Many members may point into one long name. The memory of their names stays in proportion to the file.
func TestArSharedName(t *testing.T) {
	table := strings.Repeat("x", 1<<20)
	data := arMagic + arMember("//", table) + strings.Repeat(arMember("/0", ""), 100) + arMember("/1048570", "")
	members, err := List("lib.a", bin.NewSource(strings.NewReader(data), int64(len(data))), NewBudget(Limits{}))
	if err != nil || len(members) != 101 {
		t.Fatalf("%d members, %v", len(members), err)
	}
	total := 0
	for _, m := range members {
		total += len(m.Name)
	}
	if total > len(data) {
		t.Errorf("names of %d bytes in a file of %d", total, len(data))
	}
	if name := members[100].Name; name != "xxxxxx" {
		t.Errorf("the last name is %q", name)
	}
}
