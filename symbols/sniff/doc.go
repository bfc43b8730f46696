// Package sniff says by its content what a file is, and what to do with one
// that cannot be opened here.
//
//	kind := sniff.Of(head)      // the first sniff.Size bytes
//	"this is " + kind.Sentence() // "a JFR recording, not a dump: open it with JDK Mission Control"
//
// Names of files are not asked: people rename them, and browsers do. Read
// kind.go first, then sniff.go, which says in which order a file is looked at;
// foreign.go, foreigntext.go and json.go are tables of files that other programs
// make, each row with its source.
package sniff
