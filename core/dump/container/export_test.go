package container

import (
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// AddReader adds a kind of file for the time of a test.
func AddReader(t *testing.T, open func(src bin.Source) ([]*process.Process, bool, error)) {
	before := rows
	rows = append(rows[:len(rows):len(rows)], row{[]string{"toy"}, processes(open)})
	t.Cleanup(func() { rows = before })
}
