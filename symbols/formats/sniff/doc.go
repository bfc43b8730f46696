// Package sniff identifies a file by its content, and says what to do with a file that cannot be
// opened here.
//
//	kind := sniff.Of(head)      // the first sniff.Size bytes
//	"this is " + kind.Sentence() // "a JFR recording, not a dump: open it with JDK Mission Control"
//
// File names do not matter, because people and browsers rename files. Truncated or damaged input
// never fails: a file that matches no signature is of an unknown kind. Read kind.go first, then
// sniff.go, which has the order of the tests; foreign.go and json.go are tables of
// files that other programs write, each row with its source.
package sniff
