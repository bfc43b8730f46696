// Package sanitize makes a smaller dump that is fit to share: one that has
// what its stacks need, and little else.
//
//	out, err := sanitize.Clean(session, symbols, sanitize.Options{})
//	out.Data     // a minidump
//	out.Removed  // what it no longer has
//	out.Secrets  // what looked like a key, a token or a password, and where
//	out.Whole    // threads whose stacks had to stay as they are
//	out.Changed  // how its report differs, in words; empty when no stack does
//
// Of memory it keeps the words that the walk of a stack was made of, as its
// evidence tells, code around each thread's program counter, and words that
// point into a module or into a stack, which other programs may walk by;
// everything else is zero or gone. Streams that no stack needs are left out.
// What stays of a stream is written anew from its fields. Names of people are
// taken out of folders, what looks like a secret out of every text that stays,
// text out of registers, and names of mapped documents out of maps.
//
// Every thread of the new dump is walked, with the same symbols and without
// any. Where a stack differs, all words that its walk read are kept, and at
// last the whole stack. What differs all the same is said, never hidden.
//
// It is no proof. A program may keep a secret where it looks like an address,
// and the names of modules, functions and threads are the program's own. What
// was kept is said, and so is what was found.
//
// Damage costs the damaged part, as it does for a report. Nothing here reads
// or writes files.
//
// Read sanitize.go first. needs.go asks the walk what it used, stacks.go,
// words.go and pieces.go choose memory, and memory.go writes it; streams.go has
// a rule for each stream, numbers.go, files.go and annotations.go write what
// stays of it. masker.go masks texts by roots.go and people.go (names),
// secrets.go, keyed.go and forms.go (secrets). verify.go walks the result,
// left.go searches it. checklist.go and inspect.go say what a dump would tell,
// mask.go masks a report.
package sanitize
