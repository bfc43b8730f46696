package archive

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// unrealFile adds a file of a crash report: its number, its name, and its bytes.
func unrealFile(s *asm.Section, number uint32, name, data string) *asm.Section {
	return ansi(s.U32(number), name).U32(uint32(len(data))).Text(data)
}

// ansi adds a name as SerializeAsANSICharArray writes it.
func ansi(s *asm.Section, name string) *asm.Section {
	return s.U32(uint32(max(len(name), 260))).Text(name).Zeros(max(260-len(name), 0))
}

// unrealReport adds the header of a crash report.
func unrealReport(s *asm.Section, size, files uint32) *asm.Section {
	return ansi(ansi(s, "UECC-Windows-1_0000"), "UECC-Windows-1_0000.uecrash").U32(size, files)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

const unrealFiles = "CrashContext.runtime-xml=<FGenericCrashContext>; UEMinidump.dmp=MDMP..."

// TestUnreal has each layout that engines have written.
func TestUnreal(t *testing.T) {
	files := func(s *asm.Section) *asm.Section {
		return unrealFile(unrealFile(s, 0, "CrashContext.runtime-xml", "<FGenericCrashContext>"), 1, "UEMinidump.dmp", "MDMP...")
	}
	long := strings.Repeat("n", 300)
	for name, tt := range map[string]struct {
		data *asm.Section
		want string
	}{
		"since CR1":              {files(unrealReport(asm.At(0).Text("CR1"), 1126, 2)), unrealFiles},
		"header at the end":      {unrealReport(files(unrealReport(asm.At(0), 0, 0)), 1654, 2), unrealFiles},
		"no header":              {files(asm.At(0)), unrealFiles},
		"no file":                {unrealReport(asm.At(0).Text("CR1"), 0, 0), ""},
		"a long name":            {unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 1), 0, long, "x"), long + "=x"},
		"a path":                 {unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 1), 0, `..\..\a`, "x"), "a=x"},
		"a size that lies":       {ansi(unrealReport(asm.At(0).Text("CR1"), 0, 1).U32(0), "a").U32(0xffff_ffff).Text("rest"), "a=rest"},
		"a name that lies":       {unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 1), 0, "a", "x").U32(1, 0xffff_ffff), "a=x"},
		"numbers out of order":   {unrealFile(unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 2), 0, "a", "x"), 7, "b", "y"), "a=x"},
		"an end within a header": {asm.At(0).Append(unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 1), 0, "a", "x")).U32(1, 260).Text("b"), "a=x"},
	} {
		data := tt.data.Build(t)
		if got := Sniff(data); got != Unreal {
			t.Errorf("%s: sniffed as %q", name, got)
		}
		if got := strings.Join(contents(t, "x.uecrash", data, Limits{}), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		if got := Sniff(deflated(data)); got != Zlib {
			t.Errorf("%s: compressed it is %q", name, got)
		}
	}
}

func TestZlib(t *testing.T) {
	whole := deflated([]byte("some text"))
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"whole":     {whole, "a=some text"},
		"truncated": {whole[:len(whole)-6], "a=some tex error: archive: a in zlib: unexpected EOF"},
	} {
		if got := strings.Join(contents(t, "a", tt.data, Limits{}), "; "); !strings.HasPrefix(got, tt.want[:5]) || strings.Contains(got, "error") != strings.Contains(tt.want, "error") {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	for _, head := range []string{"x", "x\x9d.", "x\xbb.", "\x68\x81."} { // too short, no checksum, a dictionary, a small window
		if got := Sniff([]byte(head)); got != "" {
			t.Errorf("%q is %q", head, got)
		}
	}
}

// upload is a body as crash reporters send it, with CRLF after each line.
func upload(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n")) }

func TestMultipart(t *testing.T) {
	const (
		field = `Content-Disposition: form-data; name="prod"`
		file  = `Content-Disposition: form-data; name="upload_file_minidump"; filename="crash.dmp"`
		octet = "Content-Type: application/octet-stream"
	)
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"a field and a file":   {upload("--bound", field, "", "App", "--bound", file, octet, "", "MDMP...", "--bound--", ""), "crash.dmp=MDMP..."},
		"line feeds":           {[]byte("--bound\n" + file + "\n\nMDMP\n--bound--\n"), "crash.dmp=MDMP"},
		"no file name":         {upload("--bound", `content-disposition:form-data;name=upload_file_minidump`, "", "MDMP", "--bound--"), "upload_file_minidump=MDMP"},
		"other fields":         {upload("--bound", field, "", "App", "--bound--"), ""},
		"a path":               {upload("--b", `Content-Disposition: form-data; name="f"; filename="C:\dumps\a.dmp"`, "", "MDMP", "--b--"), "C:/dumps/a.dmp=MDMP"},
		"parameters reversed":  {upload("--b", `Content-Disposition: form-data; filename="a;b.dmp"; name="f"`, "", "MDMP", "--b--"), "a;b.dmp=MDMP"},
		"padding":              {upload("--b \t", file, "", "MDMP", "--b  ", field, "", "x", "--b--"), "crash.dmp=MDMP"},
		"line ends inside":     {upload("--b", file, "", "MD\r\n\r\nMP\r\n", "--b--"), "crash.dmp=MD\r\n\r\nMP\r\n"},
		"the boundary inside":  {upload("--b", file, "", "--bc", "x--b", "MDMP", "--b--"), "crash.dmp=--bc\r\nx--b\r\nMDMP"},
		"truncated":            {upload("--b", file, "", "MDMP"), "crash.dmp=MDMP"},
		"an empty file":        {upload("--b", file, "", "", "--b--"), "crash.dmp="},
		"truncated in headers": {upload("--b", field, "", "x", "--b", file), "crash.dmp="},
		"more after the end":   {upload("--b", file, "", "MDMP", "--b--", "--b", file, "", "not this", "--b--"), "crash.dmp=MDMP"},
	} {
		if got := Sniff(tt.data); got != Multipart {
			t.Errorf("%s: sniffed as %q", name, got)
		}
		if got := strings.Join(contents(t, "body", tt.data, Limits{}), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	for _, head := range []string{"--\r\n" + file + "\r\n\r\n", "--bound", "--bound\r\n\r\n" + file, "-- a remark\n-- in SQL\n", "--" + strings.Repeat("b", 71) + "\r\n" + file} {
		if got := Sniff([]byte(head)); got != "" {
			t.Errorf("%q is %q", head, got)
		}
	}
}

// TestMultipartPieces has delimiters wherever the pieces meet in which a body is searched.
func TestMultipartPieces(t *testing.T) {
	const file = "--bound\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n"
	for off := -20; off <= 20; off++ {
		data := make([]byte, searchSize+off)
		copy(data, file)
		members, err := List("body", source(append(data, "\r\n"+file+"x\r\n--bound--"...)), NewBudget(Limits{}))
		if err != nil || len(members) != 2 || members[0].Size != int64(len(data)-len(file)) || members[1].Size != 1 {
			t.Errorf("%d: %v, %v", off, members, err)
		}
	}
}

func TestEnvelope(t *testing.T) {
	const header = `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"https://e@sentry.io/42"}` + "\n"
	dump := `{"type":"attachment","length":7,"attachment_type":"event.minidump","filename":"crash.dmp"}` + "\n"
	for name, tt := range map[string]struct{ data, want string }{
		"an event and a dump": {header + `{"type":"event","length":2}` + "\n{}\n" + dump + "MD\n\x00MP\n", "event={}; crash.dmp=MD\n\x00MP\n"},
		"line ends":           {header + dump + "MDMP...\n" + dump + "MDMP!!!\n", "crash.dmp=MDMP...; crash.dmp=MDMP!!!"},
		"no length":           {header + `{"type":"event"}` + "\n" + `{"a":1}` + "\n" + dump + "MDMP...", `event={"a":1}; crash.dmp=MDMP...`},
		"an empty header":     {"{}\n" + dump + "MDMP...", "crash.dmp=MDMP..."},
		"truncated":           {header + dump + "MDM", "crash.dmp=MDM"},
		"a length that lies":  {header + `{"type":"a","length":9223372036854775807}` + "\nrest", "a=rest"},
		"a negative length":   {header + `{"type":"a","length":-5}` + "\n\n" + dump + "MDMP...", "a=; crash.dmp=MDMP..."},
		"nothing after it":    {header + `{"type":"a"}` + "\n", "a="},
		"noise after it":      {header + dump + "MDMP...\nnoise", "crash.dmp=MDMP..."},
	} {
		if got := Sniff([]byte(tt.data)); got != Envelope {
			t.Errorf("%s: sniffed as %q", name, got)
		}
		if got := strings.Join(contents(t, "a.envelope", []byte(tt.data), Limits{}), "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	for _, head := range []string{"{}\n", "{}\n{}\n", "{\n" + dump, `{"bug_type":"309"}` + "\n{\n}", "{}\n[]\n", `{"a":1}` + "\n" + `{"type":3}` + "\n"} {
		if got := Sniff([]byte(head)); got != "" {
			t.Errorf("%q is %q", head, got)
		}
	}
}

// wrapped has one of each format that wraps dumps.
func wrapped(t testing.TB) [][]byte {
	report := unrealFile(unrealReport(asm.At(0).Text("CR1"), 0, 1), 0, "a", "x").Build(t)
	return [][]byte{
		report, deflated(report),
		upload("--b", `Content-Disposition: form-data; name="f"; filename="a"`, "", "MDMP", "--b--"),
		[]byte("{}\n" + `{"type":"a","length":1}` + "\nx\n" + `{"type":"a"}` + "\nx\n"),
	}
}

// TestManyWrapped has as many members as fit: their number is bounded.
func TestManyWrapped(t *testing.T) {
	report := asm.At(0).Text("CR1")
	unrealReport(report, 0, 0)
	for i := range uint32(100) {
		unrealFile(report, i, "a", "x")
	}
	part := "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nx\r\n"
	for format, data := range map[Format][]byte{
		Unreal:    report.Build(t),
		Multipart: []byte(strings.Repeat(part, 100)),
		Envelope:  []byte("{}\n" + strings.Repeat(`{"type":"a","length":1}`+"\nx\n", 100)),
	} {
		_, err := List("x", source(data), NewBudget(Limits{Entries: 50}))
		if want := fmt.Sprintf("archive: %s: more than 50 members", format); errString(err) != want {
			t.Errorf("%s: error %q, want %q", format, errString(err), want)
		}
	}
}
