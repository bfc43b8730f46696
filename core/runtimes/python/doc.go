// Package python reads the threads of CPython from the memory of a process: the calls of each one with function,
// file and line, the exception that is raised or handled, and which thread holds the global interpreter lock.
//
//	found := python.Find(process)
//	if found == nil {
//		return // no Python
//	}
//	for _, t := range found.Tasks {
//		for _, run := range t.Runs { // one for each native frame of the interpreter
//			for _, call := range run {
//				fmt.Println(call.Function, call.File, call.Line)
//			}
//		}
//	}
//
// It needs no symbols. The state of the runtime, _PyRuntime, is in the data of a module. From 3.13 on it begins with a
// cookie and the offsets in all structures; those of 3.11 and 3.12 are in a table (layouts.txt), and the state is
// found by its form. It counts only if a thread of the process is in its list. Each object is checked before it
// is used: types agree, texts end where their lengths say, qualified names end with names, instructions are in
// their code, and the table of lines has the length of the code. What does not pass costs the calls behind it, or
// its own name, and the note says so.
//
// Releases 3.11 to 3.14 are known, for 64-bit CPUs; 3.11 and 3.12 outside of Windows, where long has four bytes.
// Sources: the files that layouts.txt names, and InternalDocs/code_objects.md.
//
// Read this file first, then find.go, calls.go, object.go, lines.go and layout.go.
package python
