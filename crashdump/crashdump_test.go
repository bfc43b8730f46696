package crashdump_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"slices"
	"strings"
	"testing"

	"crashglass/crashdump"
)

const example = "../web/example/"

func Example() {
	file, err := os.Open(example + "crash.dmp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	dumps, err := crashdump.Open(file, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	symbols := crashdump.NewSymbols()
	defer symbols.Close()
	symbols.AddFolder("symbols", os.DirFS(example))
	report, err := dumps[0].Report(context.Background(), crashdump.Options{Symbols: symbols})
	if err != nil {
		log.Fatal(err)
	}
	frame := report.CrashingThread.Frames[0]
	fmt.Println(*report.CrashInfo.Type)
	fmt.Println(*frame.Inlines[0].Function, *frame.Inlines[0].Line)
	// Output:
	// SIGSEGV / SEGV_MAPERR
	// desk::available(desk::Book const*) 33
}

func ExampleWrite() {
	log := "Caught signal 11\nOperating system: none\n==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1000 bp 0x0 sp 0x0 T0)\n    #0 0x1000 in f /src/a.c:3:1\n"
	dumps, err := crashdump.Open(strings.NewReader(log), int64(len(log)))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := dumps[0].Report(context.Background(), crashdump.Options{Masked: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var text strings.Builder
	err = crashdump.Write(&text, report, crashdump.Markdown)
	fmt.Println(err, strings.Contains(text.String(), "a.c:3"))
	// Output: <nil> true
}

// The JSON of the example is the one that all outputs share.
func TestReports(t *testing.T) {
	data, err := os.ReadFile(example + "crash.dmp")
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := crashdump.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%d dumps (%v)", len(dumps), err)
	}
	symbols := crashdump.NewSymbols()
	defer symbols.Close()
	if err := symbols.Add("crash.dmp", bytes.NewReader(data), int64(len(data))); err == nil {
		t.Error("a dump was added as symbols")
	}
	for _, name := range []string{"desk.sym", "libc.sym", "libstdcpp.sym"} {
		file, err := os.ReadFile(example + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := symbols.Add(name, bytes.NewReader(file), int64(len(file))); err != nil {
			t.Error(err)
		}
	}
	report, err := dumps[0].Report(context.Background(), crashdump.Options{Symbols: symbols, Variables: true})
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[crashdump.Format]string{
		crashdump.Text: "desk::available", crashdump.JSON: `"status":"OK"`, crashdump.Markdown: "desk::available", crashdump.HTML: "<html",
	} {
		var out bytes.Buffer
		if err := crashdump.Write(&out, report, format); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s lacks %q (%v)", format, want, err)
		}
	}
	if err := crashdump.Write(new(bytes.Buffer), report, "pdf"); err == nil {
		t.Error("there is a format pdf")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	if r, err := dumps[0].Report(ctx, crashdump.Options{}); r != nil || err != why {
		t.Errorf("a report after the end: %v", err)
	}
	if got := dumps[0].Memory(0, 8); len(got) > 0 {
		t.Errorf("there is memory at 0: %x", got)
	}
	if _, err := crashdump.Open(strings.NewReader("no dump"), 7); err == nil {
		t.Error("no dump was opened")
	}
}

// names are the exported names, which programs rely on. A name may be added.
const names = `AddFolder Add Close Dump Format HTML JSON Markdown Memory NewSymbols Open Options Options.Masked Options.Symbols Options.Variables
Report Report Symbols Text Write`

func TestNames(t *testing.T) {
	notTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", notTests, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	add := func(name string) {
		if ast.IsExported(name) {
			got = append(got, name)
		}
	}
	for _, file := range packages["crashdump"].Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				add(decl.Name.Name)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							add(name.Name)
						}
					case *ast.TypeSpec:
						add(spec.Name.Name)
						if fields, ok := spec.Type.(*ast.StructType); ok {
							for _, f := range fields.Fields.List {
								for _, name := range f.Names {
									if ast.IsExported(name.Name) {
										add(spec.Name.Name + "." + name.Name)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	slices.Sort(got)
	want := strings.Fields(names)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the exported names are %q, want %q", got, want)
	}
}
