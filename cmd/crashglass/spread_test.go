package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The groups are the same, byte for byte, for every engine that spreads the work: each line of
// docs/triage.md is run unchanged if its program is installed.
func TestTriageSpread(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lines are for sh")
	}
	text, err := os.ReadFile("../../docs/triage.md")
	if err != nil {
		t.Fatal(err)
	}
	w := workplace(t)
	crashes(t, filepath.Join(w, "crashes"))
	file(t, w, "symbols/app.sym", []byte(smallSym))
	want, status := inShell(t, w, "crashglass triage crashes --symbols symbols/ --format json 2>/dev/null")
	if status != exitInput || !strings.Contains(want, `"signature": "app!crash()"`) {
		t.Fatalf("status %d: %s", status, want)
	}
	const table = "mkdir maps && crashglass triage --map --format parquet -o maps/a.parquet crashes symbols/\n"
	for _, tt := range []struct{ name, needs, block, script, line string }{
		{"xargs", "xargs", `(?s)    (find[^\n]*xargs[^\n]*\n    crashglass[^\n]*)`, "", ""},
		{"GNU parallel", "parallel --version", `    (find[^\n]*parallel[^\n]*)`, "", ""},
		{"Dask", "python3 -c 'import dask.bag'", "(?s)```python\n(# spread.py.*?)```", "spread.py", "find crashes -name '*.dmp*' | python3 spread.py >lines && crashglass triage --merge lines"},
		{"DuckDB", "python3 -c 'import duckdb'", "(?s)```sql\n(.*?)```", "groups.sql",
			table + "python3 -c 'import duckdb; duckdb.sql(open(\"groups.sql\").read())' && crashglass triage --merge groups.json"},
		{"Spark", "java -version && python3 -c 'import pyspark.sql'", "(?s)```python\n(# groups.py.*?)```", "groups.py",
			table + "python3 groups.py >&2 && crashglass triage --merge groups/*.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, status := inShell(t, w, tt.needs+" </dev/null"); status != 0 {
				t.Skipf("it is not installed: %.200s", out)
			}
			found := regexp.MustCompile(tt.block).FindStringSubmatch(string(text))
			if found == nil {
				t.Fatal("docs/triage.md does not have it")
			}
			line := found[1]
			if tt.script != "" {
				file(t, w, tt.script, []byte(found[1]))
				line = tt.line
			}
			os.RemoveAll(filepath.Join(w, "maps"))
			line = strings.Replace(line, "triage --merge", "triage --format json --merge", 1)
			if got, _ := inShell(t, w, "{ "+line+"\n} 2>errors"); got != want {
				errors, _ := os.ReadFile(filepath.Join(w, "errors"))
				t.Errorf("got\n%s\nwant\n%s\n%s", got, want, errors)
			}
		})
	}
}

// thousand fills a folder with the corpus's dumps, again and again, each copy
// with up to 20 other bytes.
func thousand(t *testing.T, dir string) (paths []string) {
	var originals [][]byte
	for _, s := range samples(t) {
		if data, err := os.ReadFile(s.dump); err == nil && len(data) < 1<<20 {
			originals = append(originals, data)
		}
	}
	rnd := rand.New(rand.NewPCG(7, 11))
	for i := range 1000 {
		data := append([]byte{}, originals[i%len(originals)]...)
		for range rnd.IntN(21) * min(1, i/len(originals)) {
			data[rnd.IntN(len(data))] = byte(rnd.Uint32())
		}
		paths = append(paths, file(t, dir, fmt.Sprintf("%04d.dmp", i), data))
	}
	return paths
}

// maxResident returns the peak memory of a process in kB, or 0 if the system does not report it.
func maxResident(p *os.ProcessState) int64 {
	usage := reflect.ValueOf(p.SysUsage())
	if usage.Kind() != reflect.Pointer {
		return 0
	}
	if most := usage.Elem().FieldByName("Maxrss"); most.IsValid() {
		return most.Int()
	}
	return 0
}

// A thousand dumps, damaged ones among them, have the same groups in ten orders.
func TestTriageThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	paths := thousand(t, t.TempDir())
	want := ""
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 10 {
		process := exec.Command(os.Args[0], append([]string{"triage", "--format=json"}, paths...)...)
		process.Env = append(os.Environ(), asProgram+"=1")
		start := time.Now()
		got, err := process.Output()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		t.Logf("order %d: %.1f s, of them %.1f s of processors, %d kB", n, time.Since(start).Seconds(),
			(process.ProcessState.UserTime() + process.ProcessState.SystemTime()).Seconds(), maxResident(process.ProcessState))
		if want == "" {
			want = string(got)
			t.Logf("%d groups", strings.Count(want, `"signature":`))
		}
		if string(got) != want || len(got) < 10000 {
			t.Fatalf("order %d has other groups: %d bytes, want %d", n, len(got), len(want))
		}
		rnd.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	}
}
