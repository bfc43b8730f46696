// Package v8 reads the calls of JavaScript on the stacks of a process with V8, such as Node.js: function, script, line and column, and the error
// that a statement throws.
//
//	found := v8.Find(target) // the process with its walked stacks, and its symbols
//	if found == nil {
//		return // no JavaScript
//	}
//	for _, t := range found.Tasks {
//		for i, frame := range t.Frames { // a native frame of the thread
//			for _, call := range t.Runs[i] { // with the calls that were inlined into it
//				fmt.Println(frame, call.Function, call.File, call.Line, call.Column)
//			}
//		}
//	}
//
// V8 describes its heap by constants that programs export for debuggers, v8dbg_...: Node does so outside of Windows. Symbols lead to them, and memory
// has their values. What they lack is found by the types of objects, and there is no table of releases. A frame is one of JavaScript if it has a
// context and a function; its position is that of the interpreter, of a bytecode of baseline code, or of a call in optimized code. A function without a
// name has that of the method of its receiver, as in Error.stack.
//
// Each object is checked before it is used: its map is one, its type is the wanted one, lengths and positions fit. What does not pass costs its
// own call, or its line, and a note says so. 64-bit processes without compressed pointers are read: Node, not Chromium.
//
// Sources: V8, tools/gen-postmortem-metadata.py, src/execution/frame-constants.h, and the files that comments name.
//
// Read this file first, then find.go, function.go, script.go, positions.go, code.go, baseline.go, exception.go, object.go, constants.go, values.go and
// parameters.go.
package v8
