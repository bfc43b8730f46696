package assistant

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// dumpURI is the URI of an open dump, before its number.
const dumpURI = "crashglass://dump/"

// addResources adds the template of the open dumps. Each has a resource of its own once it is open.
func addResources(s *server) {
	s.to.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: dumpURI + "{number}", Name: "dump", Description: "The brief report of an open dump.", MIMEType: "text/plain",
	}, s.readResource)
}

// addResource adds the resource of an open dump. Its name contains no file name, because a file name may be an instruction.
func (s *server) addResource(number int) {
	name := fmt.Sprintf("dump %d", number)
	s.to.AddResource(&mcp.Resource{URI: dumpURI + strconv.Itoa(number), Name: name, Description: "The brief report of " + name + ".", MIMEType: "text/plain"}, s.readResource)
}

// readResource answers as the tool report does.
func (s *server) readResource(_ context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(q.Params.URI, dumpURI))
	if err != nil {
		return nil, fmt.Errorf("there is no such resource: that of dump 1 is %s1", dumpURI)
	}
	query := dumpQuery{Dump: number}
	answer, failed, err := s.answer("report", query, 0, func(w io.Writer) error { return s.brief(query, w) })
	switch {
	case err != nil:
		return nil, err
	case failed:
		return nil, errors.New(answer)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: q.Params.URI, MIMEType: "text/plain", Text: answer}}}, nil
}

// A job is a common task, with a prompt that says which tools to use.
type job struct {
	name, description string
	arguments         []*mcp.PromptArgument
	text              string // with an argument's name in braces for its value
}

var jobs = []job{
	{
		"explain", "Why did this program crash, and what should be changed?",
		[]*mcp.PromptArgument{{Name: "dump", Description: "the file, as open lists it", Required: true}},
		"Open the crash dump {dump}. Say what happened, in which function and line, and why, in this order of certainty: what the report states, what follows from frames " +
			"without ~, and what you suspect. For the frame where the program failed, use frame and variables; for other threads that matter, thread. Do not take a frame " +
			"with ~ for a fact. If names are missing, say which symbol files would help (symbols). End with what to change or to find out next.",
	},
	{
		"triage", "Which crashes are there, and which to look at first?", nil,
		"Group the crash dumps with triage. For each group, from the largest on, open one dump and say in two sentences what happened and who is to blame, or that it is not known. " +
			"Say which groups may have one cause, and why. End with the order in which to look at them.",
	},
	{
		"compare", "Do two dumps show the same bug?",
		[]*mcp.PromptArgument{{Name: "dump", Description: "the file, as open lists it", Required: true}, {Name: "other", Description: "another one", Required: true}},
		"Open the crash dumps {dump} and {other}, and use compare. Say whether both show the same bug: the same function at fault for the same reason. Name what differs, " +
			"such as builds of modules, and what of it matters. If the certain frames do not decide it, say so.",
	},
}

func addPrompts(to *mcp.Server) {
	for _, j := range jobs {
		to.AddPrompt(&mcp.Prompt{Name: j.name, Description: j.description, Arguments: j.arguments}, func(_ context.Context, q *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := j.text
			for _, a := range j.arguments {
				value := q.Params.Arguments[a.Name]
				if value == "" {
					return nil, fmt.Errorf("the prompt %s needs %q", j.name, a.Name)
				}
				text = strings.ReplaceAll(text, "{"+a.Name+"}", strconv.Quote(neutral(value)))
			}
			return &mcp.GetPromptResult{Description: j.description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
		})
	}
}
