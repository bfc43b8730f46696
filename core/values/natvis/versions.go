package natvis

import (
	"strconv"
	"strings"
)

// A version says to which modules a view applies: those of a name, from a version to another one.
type version struct {
	Name string `xml:",attr"`
	Min  string `xml:",attr"`
	Max  string `xml:",attr"`
}

// covers reports whether the view is for types of a module with a version. If the version is not known, a view for some versions is not.
func (v *View) covers(module, number string) bool {
	for _, of := range v.versions {
		if strings.EqualFold(of.Name, module) && (of.Min == "" || number != "" && !older(number, of.Min)) && (of.Max == "" || number != "" && !older(of.Max, number)) {
			return true
		}
	}
	return len(v.versions) == 0
}

// older compares versions, which are numbers with dots between them. A part that is missing is 0.
func older(a, b string) bool {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		m, _ := strconv.Atoi(x)
		n, _ := strconv.Atoi(y)
		if m != n {
			return m < n
		}
	}
	return false
}
