package pdb

import (
	"fmt"

	"crashglass/core/base/bin"
)

// notes are sentences about damage, without repetition.
type notes struct{ bin.Notes }

func (n *notes) add(format string, args ...any) { n.Add(fmt.Sprintf(format, args...)) }

// error adds what an error says.
func (n *notes) error(err error) {
	if err != nil {
		n.Add(err.Error())
	}
}

// addAll adds the sentences of another list.
func (n *notes) addAll(other *notes) { n.AddAll(&other.Notes) }

func (n *notes) all() []string {
	out, more := n.List()
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more defects", more))
	}
	return out
}
