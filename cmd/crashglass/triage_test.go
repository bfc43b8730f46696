package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"crashglass/core/testkit/asm"
	testdump "crashglass/core/testkit/dump"
)

// crashedAt is a dump of a program that crashed at an address of it.
func crashedAt(t *testing.T, pc uint64) []byte {
	b := testdump.New().System(testdump.AMD64, testdump.Linux, "")
	context := b.Context(t, testdump.AMD64, map[string]uint64{"rip": pc, "rsp": 0x7fff_0000})
	b.Thread(testdump.Thread{ID: 7, StackBase: 0x7fff_0000, Stack: asm.At(0x7fff_0000).U64(0, 0).Build(t), Context: context})
	b.Module(testdump.Module{Base: 0x40_0000, Size: 0x1000, Name: "/opt/app", CodeView: testdump.BuildID(buildID...)})
	b.Exception(testdump.Exception{Thread: 7, Code: 11, Flags: 1, Address: 0x8, Context: context})
	return b.Build(t)
}

// crashes fills a folder with dumps: ten in crash(), five in main, one that was
// requested, one that is damaged, and one that is no dump.
func crashes(t *testing.T, dir string) {
	for i := range 10 {
		file(t, dir, fmt.Sprintf("a%d.dmp", i), crashedAt(t, 0x40_0100+uint64(i)))
	}
	for i := range 5 {
		file(t, dir, fmt.Sprintf("sub/b%d.dmp", i), crashedAt(t, 0x40_0200+uint64(i)))
	}
	file(t, dir, "asked.dmp", testdump.New().System(testdump.AMD64, testdump.Linux, "").Build(t))
	file(t, dir, "packed.dmp.gz", gzipped(t, crashedAt(t, 0x40_0100)))
	file(t, dir, "headless.dmp", []byte("MDMP\x93\xa7"))
	file(t, dir, "notes.txt", []byte("no dump\n"))
}

func TestTriage(t *testing.T) {
	dir := t.TempDir()
	crashes(t, filepath.Join(dir, "dumps"))
	sym := file(t, dir, "app.sym", []byte(smallSym))
	out, errs, status := crashglass("triage", filepath.Join(dir, "dumps"), sym)
	if status != exitInput || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "headless.dmp: minidump: header") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	var rows []string
	for line := range strings.Lines(out) {
		rows = append(rows, strings.Join(strings.Fields(line)[:2], " "))
	}
	if got, want := strings.Join(rows, ", "), "Dumps Signature, 11 app!crash(), 5 app!main, 1 no, 1 unreadable:"; got != want {
		t.Errorf("got %s, want %s\n%s", got, want, out)
	}
	for format, want := range map[string]string{
		"csv": "11,,,app!crash(),", "markdown": "| 11 |  |  | app&#33;crash() |", "json": `"signature": "app!crash()",`,
		"lines": `{"kind":"crash","signature":"app!crash()","rules":"crashglass","count":11,`,
	} {
		if out, _, _ := crashglass("triage", "--format", format, filepath.Join(dir, "dumps"), sym); !strings.Contains(out, want) {
			t.Errorf("%s has no %q:\n%s", format, want, out)
		}
	}
}

// A table of Parquet has a row for each dump: three groups of them, and the file that could not be read.
func TestTriageParquet(t *testing.T) {
	dir := t.TempDir()
	crashes(t, filepath.Join(dir, "dumps"))
	file(t, dir, "dumps/asked.dmp", testdump.New().Time(1_780_000_000).System(testdump.AMD64, testdump.Linux, "").Build(t))
	sym, table := file(t, dir, "app.sym", []byte(smallSym)), filepath.Join(dir, "a.parquet")
	if _, errs, status := crashglass("triage", "--map", "--format=parquet", "-o", table, filepath.Join(dir, "dumps"), sym); status != exitInput {
		t.Fatalf("status %d: %s", status, errs)
	}
	type row struct {
		Kind      string     `parquet:"kind"`
		Signature string     `parquet:"signature"`
		Rules     string     `parquet:"rules"`
		Count     int64      `parquet:"count"`
		What      *string    `parquet:"what"`
		Modules   []string   `parquet:"modules"`
		Written   *time.Time `parquet:"written,optional,timestamp(millisecond)"`
	}
	rows, err := parquet.ReadFile[row](table)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, r := range rows {
		what, _, _ := strings.Cut(r.Signature, ":")
		if r.What != nil {
			what += ", " + *r.What
		}
		if r.Written != nil {
			what += r.Written.UTC().Format(", 2006")
		}
		got[fmt.Sprintf("%d %s by %q in %d modules: %s", r.Count, r.Kind, r.Rules, len(r.Modules), what)]++
	}
	want := map[string]int{
		`1 crash by "crashglass" in 1 modules: app!crash(), Null pointer access`: 11,
		`1 crash by "crashglass" in 1 modules: app!main, Null pointer access`:    5,
		`1 no_crash by "" in 0 modules: , No threads in this dump, 2026`:         1,
		`1 unreadable by "" in 0 modules: minidump`:                              1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, tt := range []struct{ name, flags, want string }{
		{"groups have no table", "--format=parquet", "a table for Parquet has a row for each dump: add --map\n"},
		{"a map has two formats", "--map --format=csv", "no format \"csv\" with --map; want lines or parquet\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"triage"}, strings.Fields(tt.flags)...)
			if _, errs, status := crashglass(append(args, dir)...); status != exitUsage || !strings.Contains(errs, tt.want) {
				t.Errorf("status %d: %q", status, errs)
			}
		})
	}
}

// Signatures by Mozilla's rules have their own flag, and are not compared with others. Groups of older versions have them.
func TestTriageBySocorro(t *testing.T) {
	dir := t.TempDir()
	dump, sym := file(t, dir, "a.dmp", crashedAt(t, 0x40_0100)), file(t, dir, "app.sym", []byte(smallSym))
	out, errs, _ := crashglass("triage", "--signature", "socorro", "--format", "lines", dump, sym)
	if !strings.HasPrefix(out, `{"kind":"crash","signature":"crash","rules":"socorro","count":1,`) {
		t.Fatalf("%s%s", out, errs)
	}
	older := file(t, dir, "older", []byte(`{"kind":"crash","signature":"crash","count":1}`))
	for _, tt := range []struct {
		args   []string
		status int
		errs   string
	}{
		{[]string{"--signature", "socorro", "--baseline", older, dump, sym}, 0, ""},
		{[]string{"--baseline", older, dump, sym}, exitInput, "older: its signatures are not by the rules \"crashglass\": use --signature socorro, or write the baseline anew"},
		{[]string{"--merge", older, file(t, dir, "newer", []byte(`{"kind":"crash","signature":"f","rules":"crashglass","count":1}`))}, exitInput, "signatures of different rules"},
		{[]string{"--signature", "mine", dump}, exitUsage, `--signature cannot be "mine"`},
	} {
		if _, errs, status := crashglass(append([]string{"triage"}, tt.args...)...); status != tt.status || !strings.Contains(errs, tt.errs) {
			t.Errorf("%q: status %d, %q, want %d, %q", tt.args, status, errs, tt.status, tt.errs)
		}
	}
}

// A crash of a program that the baseline does not have: the page has the same words, and the exit status is that of a new one.
func TestTriageNamesProgramsWithoutABaseline(t *testing.T) {
	crash := func(signature string, count int, modules ...string) string {
		tally := map[string]int{}
		for _, m := range modules {
			tally[m] = 1
		}
		group, err := json.Marshal(map[string]any{"kind": "crash", "signature": signature, "count": count, "modules": tally})
		if err != nil {
			t.Fatal(err)
		}
		return string(group) + "\n"
	}
	full := make([]string, 16)
	for i := range full {
		full[i] = fmt.Sprintf("tool%02d 1", i)
	}
	dir := t.TempDir()
	now := file(t, dir, "now", []byte(crash("here", 3, "/usr/bin/App 2")+crash("there", 2, "my viewer 1")+crash("anywhere", 1)))
	for _, c := range []struct {
		what, baseline string
		want           []string
	}{
		{"of another version", crash("old", 1, "/opt/app 1.9"), []string{"new: here", "no baseline: there", "new: anywhere", "gone: old"}},
		{"with a space in its name", crash("old", 1, "my viewer 7"), []string{"no baseline: here", "new: there", "new: anywhere", "gone: old"}},
		{"whose list of programs is full, so that some may be missing", crash("old", 1, full...), []string{"new: here", "new: there", "new: anywhere", "gone: old"}},
		{"without programs", crash("old", 1), []string{"new: here", "new: there", "new: anywhere", "gone: old"}},
	} {
		out, errs, status := crashglass("triage", "--merge", "--format=csv", "--baseline", file(t, dir, "base", []byte(c.baseline)), now)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		var got []string
		for _, row := range rows {
			got = append(got, row[2]+": "+row[3])
		}
		if err != nil || !slices.Equal(got, append([]string{"State: Signature"}, c.want...)) || status != exitChanged {
			t.Errorf("a baseline %s: status %d, %s\ngot %q, want %q", c.what, status, errs, got, c.want)
		}
		if out, _, _ := crashglass("triage", "--merge", "--format=json", "--baseline", filepath.Join(dir, "base"), now); strings.Contains(out, "no baseline") {
			t.Errorf("JSON has a state of its own:\n%s", out)
		}
	}
}

// Ten orders, any number of jobs, and dumps spread over maps whose lines are
// merged in two steps: the groups are the same, byte for byte.
func TestTriageInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	crashes(t, dir)
	found, err := filepath.Glob(filepath.Join(dir, "*.dmp*"))
	more, err2 := filepath.Glob(filepath.Join(dir, "sub", "*.dmp"))
	if err != nil || err2 != nil || len(found)+len(more) != 18 {
		t.Fatal(found, more)
	}
	paths := append(found, more...)
	want, _, _ := crashglass(append([]string{"triage", "--format=json"}, paths...)...)
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := range 10 {
		rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		if got, _, _ := crashglass(append([]string{"triage", "--format=json", "--jobs", fmt.Sprint(1 + n%4)}, paths...)...); got != want {
			t.Fatalf("order %d: got\n%s\nwant\n%s", n, got, want)
		}
		cut := 1 + rnd.IntN(len(paths)-1)
		one, _, _ := crashglass(append([]string{"triage", "--map"}, paths[:cut]...)...)
		two, _, _ := crashglass(append([]string{"triage", "--map"}, paths[cut:]...)...)
		half, errs, status := crashglass("triage", "--merge", "--format=lines", file(t, dir, "one", []byte(one)))
		if status != exitOK {
			t.Fatal(errs)
		}
		got, errs, _ := crashglass("triage", "--merge", "--format=json", file(t, dir, "two", []byte(two)), file(t, dir, "half", []byte(half)))
		if got != want {
			t.Fatalf("merged %d: %s got\n%s\nwant\n%s", n, errs, got, want)
		}
	}
}

func TestTriageAgainstABaseline(t *testing.T) {
	dir := t.TempDir()
	crashes(t, filepath.Join(dir, "dumps"))
	if err := os.Remove(filepath.Join(dir, "dumps", "headless.dmp")); err != nil {
		t.Fatal(err)
	}
	dumps, base := filepath.Join(dir, "dumps"), filepath.Join(dir, "base.json")
	if _, errs, status := crashglass("triage", "--format=json", "-o", base, dumps); status != exitOK {
		t.Fatal(errs)
	}
	if out, errs, status := crashglass("triage", "--baseline", base, dumps); status != exitOK || !strings.Contains(out, "known") || strings.Contains(out, "new ") {
		t.Errorf("the same: status %d, errors %q\n%s", status, errs, out)
	}
	file(t, dumps, "a0b.dmp", crashedAt(t, 0x40_0100))
	if _, _, status := crashglass("triage", "--baseline", base, dumps); status != exitOK {
		t.Errorf("grown: status %d", status)
	}
	if out, _, status := crashglass("triage", "--baseline", base, "--fail-on=grown", dumps); status != exitChanged || !strings.Contains(out, "grown") {
		t.Errorf("grown: status %d\n%s", status, out)
	}
	file(t, dumps, "c.dmp", crashedAt(t, 0x40_0300))
	if out, _, status := crashglass("triage", "--baseline", base, dumps); status != exitChanged || !strings.Contains(out, "new") {
		t.Errorf("new: status %d\n%s", status, out)
	}
	if _, errs, status := crashglass("triage", "--baseline", base, "-o", filepath.Join(dir, "nowhere", "out"), dumps); status != exitInput || !strings.Contains(errs, "nowhere") {
		t.Errorf("new, but the output cannot be written: status %d, %q", status, errs)
	}
	if out, _, status := crashglass("triage", "--baseline", base, filepath.Join(dumps, "a1.dmp")); status != exitOK || !strings.Contains(out, "gone") {
		t.Errorf("gone: status %d\n%s", status, out)
	}
	if _, errs, status := crashglass("triage", "--baseline", filepath.Join(dir, "nowhere"), dumps); status != exitInput || !strings.Contains(errs, systemSays("nowhere")) {
		t.Errorf("no baseline: status %d, %q", status, errs)
	}
}

// A job that reacts to new crashes must see them, whatever else is in the folder: a program that was
// killed while it wrote a dump leaves a truncated one.
func TestTriageReportsNewCrashesBesideUnreadableDumps(t *testing.T) {
	dir := t.TempDir()
	known, fresh := file(t, dir, "known.dmp", crashedAt(t, 0x40_0100)), file(t, dir, "fresh.dmp", crashedAt(t, 0x40_0200))
	truncated, missing := file(t, dir, "truncated.dmp", []byte("MDMP\x93\xa7")), filepath.Join(dir, "missing.dmp")
	sym := file(t, dir, "app.sym", []byte(smallSym))
	base := filepath.Join(dir, "base.json")
	if _, errs, status := crashglass("triage", "--format=json", "-o", base, known, sym); status != exitOK {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		what string
		args []string
		want int
	}{
		{"a truncated dump and a known crash", []string{truncated, known}, exitInput},
		{"a truncated dump and a new crash", []string{truncated, fresh}, exitChanged},
		{"a path without a file and a new crash", []string{missing, fresh}, exitChanged},
		{"a new crash that may not fail the job", []string{"--fail-on=never", truncated, fresh}, exitInput},
	} {
		_, errs, status := crashglass(append([]string{"triage", "--baseline", base, sym}, c.args...)...)
		if status != c.want || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, want %d; errors %q", c.what, status, c.want, errs)
		}
	}
}
