package swift

import (
	"errors"
	"fmt"
	"strings"
)

// The limits of one name. Names of generic code reach some thousand bytes.
const (
	maxInput   = 16 << 10
	maxText    = 64 << 10 // bytes of the result
	maxWords   = 1 << 20  // bytes of identifiers, of which words can be repeated
	maxStack   = 1 << 14  // nodes: one operator can push one 2,048 times
	maxNesting = 512
	maxPrinted = 1 << 17 // nodes
)

// prefixes begin mangled names. Mach-O has one more underscore in front.
var prefixes = []string{"$s", "$S", "$e", "_$s", "_$S", "_$e", "__$s", "__$S", "_T0", "__T0", "@__swiftmacro_"}

// IsMangled reports whether a name looks like one of Swift's.
func IsMangled(name string) bool { return prefixOf(name) != "" }

// prefixOf is the prefix of a mangled name, "" for others. Most names of a program begin
// with another letter, and are told at once.
func prefixOf(name string) string {
	if name == "" || name[0] != '$' && name[0] != '_' && name[0] != '@' {
		return ""
	}
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return p
		}
	}
	return ""
}

// Name returns the readable form of a mangled name.
func Name(name string) (string, error) {
	prefix := prefixOf(name)
	switch {
	case prefix == "":
		return "", errors.New("swift: not a mangled name")
	case len(name) > maxInput:
		return "", fmt.Errorf("swift: the name is %d bytes long, the limit is %d", len(name), maxInput)
	}
	p := &parser{text: name[len(prefix):], labelsInTypes: strings.HasSuffix(prefix, "_T0")}
	root := p.symbol()
	if root == nil {
		return "", fmt.Errorf("swift: name at %d: it cannot be read from there on", len(prefix)+p.pos)
	}
	pr := &printer{}
	pr.node(root)
	if pr.failed || pr.out.Len() == 0 {
		return "", errors.New("swift: the name nests too deep, or means more than 65536 bytes")
	}
	return pr.out.String(), nil
}
