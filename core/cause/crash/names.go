package crash

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// names is a table of constants, sorted by code.
type names []name

type name struct {
	code uint32
	text string
}

// of returns the constant's name, or "".
func (n names) of(code uint32) string {
	i, ok := slices.BinarySearchFunc(n, code, func(e name, c uint32) int {
		switch {
		case e.code < c:
			return -1
		case e.code > c:
			return 1
		}
		return 0
	})
	if !ok {
		return ""
	}
	return n[i].text
}

// of64 is of for values that may be wider than any code.
func (n names) of64(code uint64) string {
	if code > 0xffff_ffff {
		return ""
	}
	return n.of(uint32(code))
}

// The two long tables are text: a line of hex digits sets the code of the next name, and each
// following name has the next code. As Go data they would be twice as large, and the page has to
// load them.
//
// winerror.txt is winerror.h, ntstatus.txt is ntstatus.h, both of the Windows
// 11 SDK 10.0.26100: ERROR_ and RPC_ constants of the one, everything of
// severity 0, 4, 8 and 12 of the other.
var (
	//go:embed winerror.txt
	winErrorText string
	//go:embed ntstatus.txt
	ntStatusText string

	winErrors  = sync.OnceValue(func() names { return parseNames(winErrorText) })
	ntStatuses = sync.OnceValue(func() names { return parseNames(ntStatusText) })
)

// parseNames reads one of the tables above. A name holds an underscore, a code
// does not.
func parseNames(text string) names {
	list := make(names, 0, strings.Count(text, "\n"))
	next := uint32(0)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "_") {
			list = append(list, name{next, line})
			next++
			continue
		}
		code, err := strconv.ParseUint(line, 16, 32)
		if err != nil {
			panic(fmt.Sprintf("crash: table of names: %v", err)) // our own text; a test reads it all
		}
		next = uint32(code)
	}
	return list
}
