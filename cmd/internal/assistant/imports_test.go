package assistant

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ofProtocol are the names of the protocol's package that this package uses. None of them starts a program, opens a file or connects:
// others of that package do.
var ofProtocol = []string{
	"AddTool", "CallToolRequest", "CallToolResult", "Content", "GetPromptRequest", "GetPromptResult", "IOTransport", "Implementation", "NewServer", "Prompt",
	"PromptArgument", "PromptMessage", "ReadResourceRequest", "ReadResourceResult", "Resource", "ResourceContents", "ResourceTemplate", "Server", "ServerCapabilities",
	"ServerOptions", "TextContent", "Tool", "ToolAnnotations",
}

// ofStandard are the packages of the standard library that it uses.
var ofStandard = []string{"bytes", "context", "crypto/rand", "encoding/binary", "encoding/json", "errors", "fmt", "io", "slices", "strconv", "strings", "sync", "unicode"}

// The tools cannot write, run or connect: they import nothing that does.
func TestOnlyReads(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			ours := strings.HasPrefix(path, "crashglass/core/")
			if !ours && path != "github.com/modelcontextprotocol/go-sdk/mcp" && !slices.Contains(ofStandard, path) {
				t.Errorf("%s imports %s", e.Name(), path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "mcp" {
					used++
					if !slices.Contains(ofProtocol, s.Sel.Name) {
						t.Errorf("%s uses mcp.%s", e.Name(), s.Sel.Name)
					}
				}
			}
			return true
		})
	}
	if used < 10 {
		t.Errorf("only %d names of the protocol are used", used)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "word": 1, "words": 2, "0x0012": 4, "a b": 2, "a::b": 3, "→": 1} {
		if got := tokens(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}
