package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"crashglass/core/report/render"
	"crashglass/core/testkit/bomb"
)

var (
	keepBombs = flag.String("bombs", "", "leave the bombs in `folder`, for runs of the program with limits")
	allBombs  = flag.Bool("allbombs", false, "give each bomb to each command, and print the worst")
)

// A counted counts the bytes that are written to it.
type counted int64

func (c *counted) Write(p []byte) (int, error) { *c += counted(len(p)); return len(p), nil }

// commands are the commands for a dump, and for a dump with its symbols.
var commands = [][]string{
	{"walk", "--format", "text"}, {"walk", "--format", "machine"}, {"walk", "--format", "json"}, {"walk", "--format", "markdown"}, {"walk", "--format", "html", "--reveal"},
	{"walk", "--explain"}, {"walk", "--variables", "--format", "json"}, {"dump"}, {"sanitize", "-o", "/dev/null"},
}

// TestBombs gives small, expensive files to commands in turn, or to all of them: the output is
// bounded, and every run ends. Time and memory are measured elsewhere, on an idle machine; -bombs
// leaves the files for that.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	dir := *keepBombs
	if dir == "" {
		dir = t.TempDir()
	}
	var worst costs
	for i, b := range bomb.All(t) {
		path := file(t, dir, b.Name+".dmp", b.Dump)
		var symbols []string
		if b.Symbols != nil {
			symbols = []string{"--symbols", file(t, dir, b.Name+"/"+b.File, b.Symbols)}
		}
		if *keepBombs != "" {
			continue
		}
		for n, command := range commands {
			if !*allBombs && n != i%len(commands) {
				continue
			}
			args := append(append([]string{}, command...), path)
			if command[0] != "dump" {
				args = append(args, symbols...)
			}
			worst.add(checkBomb(t, b.Name, args))
		}
	}
	fmt.Printf("%d runs, the slowest %.1f s, the longest output %.1f MiB\n", worst.runs, worst.time.Seconds(), float64(worst.out)/(1<<20))
}

// costs are the costs of many runs.
type costs struct {
	runs int
	time time.Duration
	out  counted
}

func (c *costs) add(other costs) {
	c.runs += other.runs
	c.time, c.out = max(c.time, other.time), max(c.out, other.out)
}

func checkBomb(t *testing.T, name string, args []string) costs {
	t.Helper()
	var out counted
	var errs strings.Builder
	start := time.Now()
	status := run(args, io.Writer(&out), &errs)
	took := time.Since(start)
	if out > render.MaxOutput || took > time.Minute || status > exitUsage || strings.Contains(errs.String(), "goroutine ") {
		t.Errorf("%s: %v: %d bytes in %v, status %d: %.200s", name, args[:3], out, took, status, errs.String())
	}
	return costs{1, took, out}
}
