package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOrderOfSymbols gives a hundred symbol files in a hundred orders: right
// ones and wrong ones, doubled, damaged, packed and empty. The report must be
// the same to the byte.
func TestOrderOfSymbols(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	var paths []string
	for i := range 100 {
		data := smallSym
		name := fmt.Sprintf("%02d/app.sym", i)
		switch i % 10 {
		case 0: // doubled, with more to say
			data += strings.Repeat("PUBLIC 900 0 more\n", i/30)
		case 1:
			data = data[:len(data)-7*(i/10)]
		case 2:
			data = ""
		case 3:
			name = fmt.Sprintf("%02d/libother.so.sym", i)
			data = strings.Replace(data, debugID+" app", fmt.Sprintf("%032X0 libother.so", i), 1)
		case 4:
			data = "<html>"
		default: // other builds
			data = strings.Replace(data, debugID, fmt.Sprintf("%032X%d", i/20+1, i%3), 1)
		}
		if i%7 == 0 {
			name += ".gz"
			data = string(gz([]byte(data)))
		}
		paths = append(paths, file(t, dir, name, []byte(data)))
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, without := range []bool{false, true} { // the right ones
		var given []string
		for i, p := range paths {
			if !without || i%10 > 1 {
				given = append(given, p)
			}
		}
		want := ""
		for n := range 100 {
			args := []string{"walk", "-format", "json"}
			for _, i := range rnd.Perm(len(given)) {
				args = append(args, "-symbols", given[i])
			}
			got, _, status := crashglass(append(args, dmp)...)
			if n == 0 {
				want = got
			}
			if status != exitOK || got != want {
				t.Fatalf("order %d changes the report:\n%s\n%s", n, got, want)
			}
			if strings.Contains(got, "crash()") == without {
				t.Fatal(got)
			}
		}
	}
}
