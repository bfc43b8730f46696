package sniff

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// etl is the beginning of a trace: the header of a buffer and of its first event.
func etl(t testing.TB, saved uint32, marker, flags, group uint8) string {
	return string(asm.At(0).U32(0x10000, saved).Zeros(0x40).U16(2).U8(marker, flags).U16(0x100).U8(0, group).Zeros(40).Build(t))
}

// assembly is a PE file with a CLI header.
func assembly(t testing.TB, clr, unwind, flags, native uint32) string {
	return string(asm.At(0).Text("MZ").Zeros(58).U32(64).Text("PE\x00\x00").
		U16(0x14c, 1).Zeros(12).U16(96+16*8, 0). // COFF header
		U16(0x10b).Zeros(90).U32(16).            // optional header
		Zeros(3*8).U32(0, unwind).Zeros(10*8).U32(clr, 72).Zeros(8).
		Text(".text\x00\x00\x00").U32(0x1000, 0x2000, 0x1000, 0x200).Zeros(16).
		Zeros(0x200-64-4-20-224-40).
		Zeros(8).U32(72).Zeros(12).U32(flags).Zeros(44).U32(native, 0). // at 0x2008
		Build(t))
}

// field is a string of a protobuf message.
func field(number byte, text string) string {
	return string([]byte{number<<3 | 2, byte(len(text))}) + text
}

const stars = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"

const tombstone = stars + "Build fingerprint: 'google/panther/panther:14/UQ1A/1:user/release-keys'\nABI: 'arm64'\n" +
	"pid: 4711, tid: 4711, name: app  >>> com.example.app <<<\n"

// TestForeign has the beginning of a file of each kind that other programs make.
func TestForeign(t *testing.T) {
	proto := field(2, "google/panther/panther:14/UQ1A/1:user/release-keys") + field(3, "MP1") + field(4, "2026-01-02 03:04:05.678901+0100") + "\x28\x01"
	tests := []struct {
		name, head string
		want       Kind
	}{
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "7z"},
		{"RAR 4", "Rar!\x1a\x07\x00\xcf", "RAR"},
		{"RAR 5", "Rar!\x1a\x07\x01\x00", "RAR"},
		{"bzip2", "BZh91AY&SY\x00\x01\x02\x03", "bzip2"},
		{"empty bzip2", "BZh9\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00", "bzip2"},
		{"old LZ4", "\x02\x21\x4c\x18\x64\x40", "LZ4"},
		{"event log", "ElfFile\x00\x00\x00\x00\x00", "EVTX"},
		{"event trace", etl(t, 0x200, 2, 0xc0, 0), "ETL"},
		{"event trace that lies", etl(t, 0x20000, 2, 0xc0, 0), Unknown},
		{"event trace of another group", etl(t, 0x200, 2, 0xc0, 3), Unknown},
		{"event trace without flags", etl(t, 0x200, 2, 0x40, 0), Unknown},
		{"Java heap", "JAVA PROFILE 1.0.2\x00\x00\x00\x00\x08", "HPROF"},
		{"flight recording", "FLR\x00\x00\x02\x00\x01", "JFR"},
		{"wasm", "\x00asm\x01\x00\x00\x00", "wasm"},
		{"portable PDB", "BSJB\x01\x00\x01\x00\x00\x00\x00\x00\x0c\x00\x00\x00PDB v1.0\x00\x00\x00\x00\x00\x00\x06\x00\x7c\x00\x00\x00\x50\x01\x00\x00#Pdb\x00\x00\x00\x00", PortablePDB},
		{"metadata of an assembly", "BSJB\x01\x00\x01\x00\x00\x00\x00\x00\x0c\x00\x00\x00v4.0.30319\x00\x00\x00\x00\x05\x00\x6c\x00\x00\x00\x50\x01\x00\x00#~\x00\x00", Unknown},
		{"assembly", assembly(t, 0x2008, 0, 1, 0), Assembly},
		{"assembly with C++", assembly(t, 0x2008, 0, 0, 0), PE},
		{"assembly with unwind rules", assembly(t, 0x2008, 100, 1, 0), PE},
		{"assembly that crossgen compiled", assembly(t, 0x2008, 0, 1, 0x2100), PE},
		{"assembly whose header is far away", assembly(t, 0x2f00, 0, 1, 0), PE},
		{"assembly whose header is nowhere", assembly(t, 0xffff_ffff, 0, 1, 0), PE},
		{"protobuf tombstone", "\x08\x01" + proto, "Android tombstone (protobuf)"},
		{"protobuf tombstone of ARM", proto, "Android tombstone (protobuf)"},
		{"another message", "\x08\x01\x12\x03abc\x1a\x01x\x22\x01y\x28\x01\x00\x00\x00\x00\x00\x00", Unknown},
		{"Oodle", "\x8c\x06\x00\x12\x34", "Oodle"},
		{"zlib", "x\x9c\x01\x02\x03\x04\x05\x00\x00", Zlib},
		{"a formula", "x^2 + y^2 = z^2\n", Text},

		{"bcsymbolmap", "BCSymbolMap Version: 2.0\n_foo\n", "bcsymbolmap"},
		{"tombstone", tombstone, Tombstone},
		{"tombstone in a log", "01-02 03:04:05.678  99 99 F DEBUG   : " + strings.ReplaceAll(tombstone, "\n", "\n01-02 F DEBUG   : "), Tombstone},
		{"a remark", stars + "Nothing happened.\n", Text},
		{"apport", "ProblemType: Crash\nArchitecture: amd64\nCoreDump: base64\n", "apport"},
		{"Erlang", "=erl_crash_dump:0.5\nTue Oct  6 17:55:27 2026\nSlogan: x\n", "erl_crash.dump"},
		{"WER", "\xff\xfe" + wide(t, "Version=1\r\nEventType=APPCRASH\r\nEventTime=131666691375272319\r\nReportType=2\r\n"), "WER report"},
		{"an INI file", "Version=1\nName=x\n", Text},

		{"heap snapshot", `{"snapshot":{"meta":{"node_fields":["type","name"]}}}`, "V8 heap snapshot"},
		{"minidump-stackwalk", "{\n  \"crash_info\": {\n    \"address\": \"0x0\"", "JSON report"},
		{"createdump", `{"payload":{"protocol_version":"1.0.0","configuration":{}}}`, ".NET crash report"},
		{"Node.js", `{"header": {"reportVersion": 3, "event": "x", "nodejsVersion": "v20"}}`, "Node.js report"},
		{"Sentry event", `{"platform": "native", "event_id": "fc6d8c0c43fc4630ad850ee518f1b9d0"}`, "Sentry event"},
		{"Sentry envelope", "{\"event_id\":\"1\"}\n{\"type\":\"event\",\"length\":2}\n{}\n", Envelope},
		{"Mozilla's annotations", `{"BuildID":"20260101","ProductName":"Firefox"}`, "crash annotations"},
		{"Gecko profile", `{"meta":{"stackwalk":1,"interval":1},"libs":[]}`, "Firefox profile"},
		{"processed profile", `{"meta":{"preprocessedProfileVersion":47},"libs":[]}`, "Firefox profile"},
		{"trace", `{"traceEvents":[{"ph":"X"}]}`, "Chrome trace"},
		{"trace as a list", `[{"name":"x","ph":"M","pid":1,"args":{}}]`, "Chrome trace"},
		{"a list of others", `[{"name":"x","args":{"ph":"M"}},["pid"]]`, Text},
		{"a report of macOS without its first line", "{\n \"uptime\" : 1,\n \"procName\" : \"App\",\n \"bundleInfo\" : {}", IPS},
		{"CPU profile", `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]`, "CPU profile"},
		{"speedscope", `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{}}`, "speedscope profile"},
		{"source map", `{"version":3,"sources":["a.ts"],"mappings":"AAAA"}`, "source map"},
		{"a key that is too deep", `{"a":{"crash_info":1}}`, Text},
		{"a value", `{"a":"crash_info"}`, Text},
		{"a key with quotes", `{"a\"crash_info":1,"b":"\\"}`, Text},
		{"a list", `["crash_info"]`, Text},
	}
	for _, tt := range tests {
		got := Of([]byte(tt.head))
		if got != tt.want || got.Sentence() == "" {
			t.Errorf("%s: %q, want %q; %s", tt.name, got, tt.want, got.Sentence())
		}
		for n := range len(tt.head) {
			Of([]byte(tt.head[:n])) // must not panic
		}
	}
}

// TestHostileJSON takes time by the length of a text only.
func TestHostileJSON(t *testing.T) {
	for _, text := range []string{strings.Repeat("{", Size), strings.Repeat(`{"a":`, Size/5), strings.Repeat("[", Size), "[" + strings.Repeat(`{"a":1},`, Size/8), "{" + strings.Repeat(`"a" `, Size/4), "{" + strings.Repeat(`"`, Size-1), `{"` + strings.Repeat(`\`, Size-2)} {
		if got := Of([]byte(text)); got != Text {
			t.Errorf("%.10q is %q", text, got)
		}
	}
}
