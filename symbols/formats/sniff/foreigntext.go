package sniff

import "bytes"

// texts are files of text; one of UTF-16 is converted before.
var texts = []row{
	// LLVM's tools/dsymutil/SymbolMap.cpp, SymbolMapLoader::Load.
	{"bcsymbolmap", "BCSymbolMap Version: ", nil, "a bcsymbolmap, the names that Apple hid when it compiled bitcode: name it by its UUID, and open it together with the dSYM"},
	// OpenJDK's src/hotspot/share/utilities/vmError.cpp, VMError::report.
	{"hs_err", "#\n# A fatal error has been detected by the Java", nil, hsErrSays},
	{"hs_err", "#\r\n# A fatal error has been detected by the Java", nil, hsErrSays},
	{"hs_err", "#\n# There is insufficient memory for the Java", nil, hsErrSays},
	{"hs_err", "#\r\n# There is insufficient memory for the Java", nil, hsErrSays},
	// AOSP's debuggerd/libdebuggerd/tombstone_proto_to_text.cpp, tombstone_proto_to_text.
	{Tombstone, "", isTombstone, "an Android tombstone, which is text and holds its stacks already: name its functions with ndk-stack -sym"},
	// apport's problem_report.py, ProblemReport.write: the type goes first.
	{"apport", "ProblemType: ", nil, "a report of apport: unpack it with apport-unpack, and open the CoreDump in it"},
	// Erlang's erts/emulator/beam/break.c, erl_crash_dump_v.
	{"erl_crash.dump", "=erl_crash_dump:", nil, "a crash dump of Erlang, which is text: open it with crashdump_viewer"},
	// Reports of Windows 7 to 11; Microsoft says nothing of their form.
	{"WER report", "Version=1", isWER, "a summary of Windows Error Reporting, which is text: open the .dmp or .mdmp file in its folder, if there is one"},
}

const hsErrSays = "an error log of the Java virtual machine (hs_err), which is text and holds its stack already: open the core or .mdmp file that it names"

// isTombstone looks for the first line of a tombstone, at the start of the file or behind the
// prefix of a log line, and for the thread that crashed.
func isTombstone(text []byte) bool {
	_, after, ok := bytes.Cut(text, []byte("*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"))
	return ok && bytes.Contains(after, []byte("pid: ")) && bytes.Contains(after, []byte(", tid: "))
}

func isWER(text []byte) bool {
	return bytes.Contains(text, []byte("\nEventType=")) && bytes.Contains(text, []byte("\nEventTime="))
}
