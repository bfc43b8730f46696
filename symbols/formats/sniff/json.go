package sniff

import (
	"bytes"
	"slices"
	"strings"
)

// documents are JSON of other tools. The magic is a key of the outermost object; behind a space
// follows a key that may be anywhere. A magic with a bracket is a key of the objects in the
// outermost list.
var documents = []row{
	// V8's src/profiler/heap-snapshot-generator.cc, HeapSnapshotJSONSerializer.
	{"V8 heap snapshot", "snapshot node_fields", nil, "a V8 heap snapshot, not a dump: load it in Chrome's developer tools, under Memory"},
	// rust-minidump's minidump-processor/json-schema.md.
	{"JSON report", "crash_info", nil, "a report of a dump, as JSON: open the dump that it was made of"},
	// dotnet/runtime's src/coreclr/debug/createdump/crashreportwriter.cpp.
	{".NET crash report", "payload protocol_version", nil, "a crash report of .NET's createdump, as JSON: open the core dump beside it with dotnet-dump"},
	// Node.js's src/node_report.cc, WriteNodeReport.
	{"Node.js report", "header nodejsVersion", nil, "a diagnostic report of Node.js, which is JSON and holds its stacks already: read it with a text editor"},
	// Sentry's develop.sentry.dev/sdk/data-model/event-payloads/, "Required Attributes".
	{"Sentry event", "event_id platform", nil, "a Sentry event, as JSON and without its dump: download the minidump from the attachments of the event"},
	// Mozilla's toolkit/crashreporter/CrashAnnotations.yaml.
	{"crash annotations", "ProductName BuildID", nil, "annotations of a crash (.extra), as JSON: open the .dmp file of the same name"},
	// firefox-devtools/profiler's docs-developer/processed-profile-format.md and gecko-profile-format.md.
	{"Firefox profile", "meta stackwalk", nil, firefoxSays},
	{"Firefox profile", "meta preprocessedProfileVersion", nil, firefoxSays},
	// Chromium's "Trace Event Format", "JSON Object Format".
	{"Chrome trace", "traceEvents", nil, "a trace of events, as JSON: open it with Perfetto"},
	// The same, "JSON Array Format": a list of events.
	{"Chrome trace", "[ ph pid", nil, "a trace of events, as JSON: open it with Perfetto"},
	// Chrome DevTools Protocol, "Profiler.Profile".
	{"CPU profile", "nodes callFrame", nil, "a CPU profile of V8, as JSON: load it in Chrome's developer tools, under Performance"},
	// jlfwong/speedscope's src/lib/file-format-spec.ts.
	{"speedscope profile", "$schema speedscope", nil, "a profile, as JSON: open it with speedscope"},
	// ECMA-426, "Source map format".
	{"source map", "version mappings", nil, "a source map of JavaScript, which names no native code: add .sym, PDB or debug files"},
}

const firefoxSays = "a profile, as JSON: open it with Firefox Profiler"

// sniffJSON knows a document by the keys of its outermost object.
func sniffJSON(text []byte) Kind {
	text = bytes.TrimLeft(text, " \t\r\n")
	isList := bytes.HasPrefix(text, []byte("["))
	if !isList && !bytes.HasPrefix(text, []byte("{")) {
		return ""
	}
	keys := outerKeys(text, isList)
	for _, r := range documents {
		magic, ofList := strings.CutPrefix(r.magic, "[ ")
		key, other, _ := strings.Cut(magic, " ")
		if ofList == isList && slices.Contains(keys, key) && bytes.Contains(text, []byte(other)) {
			return r.kind
		}
	}
	return ""
}

// outerKeys lists the keys of the outermost object, or of the objects in the outermost list, up to
// the end of the text (RFC 8259). Text that is not JSON gives any keys or none.
func outerKeys(text []byte, inList bool) (keys []string) {
	depth := 0
	if inList {
		depth = -1
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(text, i+1)
			if rest := bytes.TrimLeft(text[min(end+1, len(text)):], " \t\r\n"); depth == 1 && bytes.HasPrefix(rest, []byte(":")) {
				keys = append(keys, string(text[i+1:end]))
			}
			i = end
		}
	}
	return keys
}

// stringEnd is where the quotes are that end a string, or the text.
func stringEnd(text []byte, at int) int {
	for ; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at, len(text))
}
