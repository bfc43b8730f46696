package demangle

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew, with llvm-undname")

const (
	golden = "testdata/undname.txt"
	// undnameVersion is the version that wrote the golden file.
	undnameVersion = "LLVM version 14."
)

// written are names by hand. Each is a case that a demangler has read wrong.
var written = strings.Fields(`
?x@@3HA ?x@@3PEAHEA ?x@@3PEBHEB ?x@@3QEAHEB ?x@@3PEAY02HEA ?x@@3PEAY123$$CBHEA ?x@@3AEAHEA ?x@@3P6AXXZEA ?x@@3P6AHM@ZEA ?x@@3PEQfoo@@HEQ1@
?x@@3P8foo@@EAAHXZEQ1@ ?x@ns@@3HA ?x@foo@@0HA ?x@foo@@1HB ?x@foo@@2HC ?x@foo@@2PEIAHEIA ?x@@3$$TA ?x@@3W4e@@A ?x@?1??f@@YAXXZ@4HA
?x@?1??f@@9@4HA ?x@?BA@??f@@YAXXZ@4HA ?f@@YAXXZ ?f@@YAHH@Z ?f@@YAXHZZ ?f@@YAXZZ ?f@@YA?BHXZ ?f@@YA?AUs@@XZ ?f@@YAXPEAD0@Z ?f@@YAXP6AXXZ0@Z
?f@@YAXAEAUa@@AEBU1@$$QEAU1@@Z ?f@@YAP6AHH@ZM@Z ?f@@YAPEAY01HXZ ?f@@YAXX_E ?f@@YAXQEAY1BA@L@D@Z ?f@A@@QEBAXXZ ?f@A@@QEGAAXXZ ?f@A@@QEHBAXXZ
?f@A@@QECAXXZ ?f@A@@QEDAXXZ ?f@A@@SAXXZ ?f@A@@UEAAXXZ ?f@A@@MEAAXXZ ?f@A@@EEAAXXZ ?f@A@@W7EAAXXZ ?f@A@@$4PPPPPPPM@A@EAAXXZ ?f@A@@$R477PPPPPPPM@7EAAXXZ
??0A@@QEAA@XZ ??1A@@UEAA@XZ ??0?$A@H@@QEAA@XZ ??BA@@QEAAHXZ ??BA@@QEBA?BUB@@XZ ??$?BH@A@@QEAAHXZ ??4A@@QEAAAEAU0@AEBU0@@Z ??RA@@QEBAXXZ
??$f@H@@YAXXZ ??$f@HN@@YAXXZ ??$f@$0A@@@YAXXZ ??$f@$0?0@@YAXXZ ??$f@$1?x@@3HA@@YAXXZ ??$f@$1?g@@YAXXZ@@YAXXZ ??$f@$E?x@@3HA@@YAXXZ ??$f@$$V@@YAXXZ
??$f@$S@@YAXXZ ??$f@$1??4A@@QEAAAEAU0@AEBU0@@ZU1@U2@@@YAXXZ ??$f@$H??$g@H@A@@QEAAXXZA@U1@U2@@@YAXXZ ??$f@$1??BA@@QEAAHXZU1@U2@@@YAXXZ ??$f@$1??0A@@QEAA@XZU1@@@YAXXZ ??$f@$$Z@@YAXXZ ??$f@$$A6AXXZ@@YAXXZ ??$f@$$A8@@EAAXXZ@@YAXXZ ??$f@$$BY0A@H@@YAXXZ ??$f@$$CBH@@YAXXZ ??$f@$$Yfoo@@@@YAXXZ
??$f@$H?g@A@@QEAAXXZA@@@YAXXZ ??$f@$I?g@A@@QEAAXXZA@A@@@YAXXZ ??$f@$J?g@A@@QEAAXXZA@A@A@@@YAXXZ ??$f@$FA@3@@YAXXZ ??$f@$GA@3A@@@YAXXZ ??$f@V?$a@V?$b@H@@@@@@YAXXZ
?f@@YAXV?$a@V?$b@H@@@@V1@@Z ?f@@YAXV?$a@H@@V?$a@N@@01@Z ?f@?$a@H@@QEAAXV1@@Z ?f@?A0x12345678@@YAXXZ ?f@?A0x12345678@@YAXUs@1@@Z ?f@?A@@YAXXZ
?f@n1@n2@n3@@YAXUs@123@@Z ?f@@YAXUa@@Ub@@Uc@@Ud@@Ue@@Uf@@Ug@@Uh@@Ui@@Uj@@Uk@@0@Z ??_7A@@6B@ ??_7A@@6BB@@@ ??_8A@@7B@ ??_8A@@7BB@@@ ??_SA@@6B@
??_R0?AUA@@@8 ??_R0H@8 ??_R0PEAX@8 ??_R1A@?0A@EA@A@@8 ??_R2A@@8 ??_R3A@@8 ??_R4A@@6B@ .?AVA@@ .?AV?$a@H@@ .H .PEAUA@@ ??_9A@@$B7AA ??_9A@@$BBA@AE
??_B?1??f@@YAXXZ@51 ??_B?1??f@@YAXXZ@4IA ??__J?1??f@@YAXXZ@51 ??__Ex@@YAXXZ ??__E?x@@3HA@@YAXXZ ??__F?x@@3UA@@A@@YAXXZ ??__E?x@A@@2HA@@YAXXZ ??__Ex@@3HA@YAXXZ
??_C@_00CNPNBAHC@?$AA@ ??_C@_05CJBACGMB@hello?$AA@ ??_C@_13FPGAJAPJ@?$AAh?$AA?$AA@ ??_C@_0CF@LABBIIMO@012345678901234567890123456789AB@
??_C@_1EK@KFPEBLPK@?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AA0?$AA1?$AA2?$AA3?$AA4?$AA5?$AA6?$AA7?$AA8?$AA9?$AAA?$AAB@
??_C@_03PMGGPEJJ@?$AAh?$AA@ ??_C@_05A@h?$AA?$AA?$AA?$AA@ ??_C@_04A@h?$AA?$AA?$AA?$AA@ ??_C@_02DKCKIIND@?$CFs?$AA@ ??_C@_02A@?a?Z?$AA@
??__K_km@@YANO@Z ??$?__K_km@H@@YANO@Z ??__L@YAXUA@@@Z ??__M@YA_NUA@@0@Z ??__MA@@QEBA_NAEBU0@@Z ??2@YAPEAX_K@Z ??3@YAXPEAX@Z ??_U@YAPEAX_K@Z ??_V@YAXPEAX@Z
??_GA@@UEAAPEAXI@Z ??_EA@@WBA@EAAPEAXI@Z ??_DA@@QEAAXXZ ??_FA@@QEAAXXZ ??_L@YAXPEAX_K1P6AX0@Z2@Z ??_M@YAXPEAX_K1P6AX0@Z@Z ??_H@YAXPEAX_K1P6APEAX0@Z@Z
??R<lambda_0>@?1??f@@YAXXZ@QEBA?A?<auto>@@XZ ?f@@YA?A?<decltype-auto>@@XZ ?f@<lambda_1>@@QEBAXXZ ?f@@YAXPEIAH@Z ?f@@YAXPEIFAH@Z ?f@@YAXPEFAH@Z ?f@@YQXT__m128@@@Z
?f@@YQXU__m256d@@T__m512@@@Z ?f@@YAXT?$__vector@M$03@__clang@@@Z ?f@@$$J0YAXXZ ??@0123456789abcdef0123456789abcdef@ ??@0123456789abcdef0123456789abcdef@??_R4@
?f@@YAXU?$a@$$QEAH@@@Z ?f@@YAXAEAY02H@Z ?f@@YAXPEAPEAPEAH@Z ?f@@YAXQEAQEAH@Z ?f@@YAXP8A@@EAAXXZ@Z ?f@@YAXP8A@@EBAXXZ@Z ?f@@YAXPEQA@@H@Z ?f@@YAXPERA@@H@Z
?f@@YAX_JU?$a@_K@@_N_W_S_U_Q@Z ?f@@YAXCDEFGHIJKMNO@Z ?f@@YFX@Z ?f@@YGXH@Z ?f@@YIXH@Z ?f@@YMXH@Z ?f@@YAX$$T@Z
`)

// Every name, by the generator and by hand, reads as undname reads it.
func TestUndname(t *testing.T) {
	names := append(written, decorated(1500)...)
	if *update {
		writeGolden(t, names)
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != len(names) {
		t.Fatalf("%s has %d names, the test %d; write it with -update", golden, len(lines), len(names))
	}
	for i, line := range lines {
		name, want, _ := strings.Cut(line, "\t")
		if name != names[i] {
			t.Fatalf("%s:%d: %q, the test has %q; write it with -update", golden, i+1, name, names[i])
		}
		got, err := Full(name)
		if got != want || err != nil {
			t.Errorf("%s\n got %q, %v\nwant %q", name, got, err, want)
		}
	}
}

// The golden file is what undname says.
func TestUndnameInstalled(t *testing.T) {
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var names, want []string
	for line := range strings.Lines(string(text)) {
		name, readable, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names, want = append(names, name), append(want, readable)
	}
	for i, got := range runUndname(t, names) {
		if got != want[i] {
			t.Errorf("%s: undname says %q, %s %q", names[i], got, golden, want[i])
		}
	}
}

func writeGolden(t *testing.T, names []string) {
	var out strings.Builder
	for i, readable := range runUndname(t, names) {
		out.WriteString(names[i] + "\t" + readable + "\n")
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runUndname asks for all names at once; each comes back with its readable
// form, or nothing, and an empty line.
func runUndname(t *testing.T, names []string) (out []string) {
	t.Helper()
	path, err := exec.LookPath("llvm-undname")
	if err != nil {
		t.Skip("llvm-undname is not installed")
	}
	if version, err := exec.Command(path, "--version").Output(); err != nil || !strings.Contains(string(version), undnameVersion) {
		t.Skipf("llvm-undname is not of %s: others know more kinds of names", undnameVersion)
	}
	cmd := exec.Command(path)
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	_ = cmd.Run() // it fails if there is any name that it cannot read
	rest := stdout.String()
	for _, name := range names {
		after, ok := strings.CutPrefix(rest, name+"\n")
		if !ok {
			t.Fatalf("undname says %.100q, not %s", rest, name)
		}
		readable, after, _ := strings.Cut(after, "\n")
		if readable != "" {
			after = strings.TrimPrefix(after, "\n")
		}
		out, rest = append(out, readable), after
	}
	return out
}
