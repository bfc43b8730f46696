// Package sanitize makes a smaller dump that is fit to share: it has the data that its stacks need,
// and little else.
//
//	out, err := sanitize.Clean(session, symbols, sanitize.Options{})
//	out.Data     // a minidump
//	out.Removed  // what was removed
//	out.Secrets  // what looked like a key, a token or a password, and where
//	out.Changed  // how its report differs, in words; empty when no stack does
//
// It keeps three kinds of memory: the words that the walk of a stack used; code around each thread's
// program counter, as far as it is proved to be code; and words that point into a module or a stack,
// which other programs may use to walk. All other memory is zero or removed. A text that a walk read is
// replaced by asterisks. The file lists what was removed, so that a reader takes no zero for a value.
// Streams that no stack needs are
// left out, and the others are written anew from their fields. Names of people are removed from
// folders, probable secrets from every remaining text, text from registers, and names of mapped
// documents from maps.
//
// Every thread of the new dump is walked, with the same symbols and without any. Differences are
// reported, and nothing is kept to avoid one.
//
// A dump of the Windows kernel is cleaned as a minidump and then written as a small kernel dump (kernel.go).
//
// It is no proof. A program may have a secret that looks like an address, and the names of modules,
// functions and threads belong to the program. The result lists what was kept and what was found.
//
// Damage costs the damaged part, as it does for a report. Nothing here reads
// or writes files.
//
// Read sanitize.go first. needs.go collects the words that walks use, stacks.go, code.go and words.go
// choose memory, and memory.go writes it. textwords.go and scripts.go find texts in
// numbers. streams.go has a rule for each stream; numbers.go and files.go write the remaining fields. Texts are masked by
// roots.go and people.go (names), secrets.go, keyed.go, markup.go, commands.go and forms.go (secrets). verify.go walks the
// result and searches it. checklist.go and inspect.go list the private data of a dump, chunks.go
// searches its memory, and mask.go masks a report.
package sanitize
