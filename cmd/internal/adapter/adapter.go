// Package adapter shows a dump in an editor, by the Debug Adapter Protocol: it answers the requests of a debugger's client with the
// report of the dump. What a dump cannot do (step, continue, change memory) is declared absent, and refused.
//
// Read this file first, then requests.go, which has the table of requests, stack.go for threads and frames, values.go for
// variables and expressions, and console.go for commands and completions.
//
// Source: the specification of the Debug Adapter Protocol, version 1.65, whose types github.com/google/go-dap has.
package adapter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"crashglass/core/analyze"
	"crashglass/core/base/bug"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

// A Launch is the configuration of a session, as the client's user writes it.
type Launch struct {
	Dump      string            `json:"dump"`
	Symbols   []string          `json:"symbols"`
	SourceMap map[string]string `json:"sourceMap"` // beginnings of paths: of the build to this machine
	Local     *bool             `json:"local"`     // whether the files of this machine are searched; null is true
}

// Opened is an open dump with its symbols.
type Opened struct {
	Session *analyze.Session
	Symbols analyze.Symbols
	Options analyze.Options // of each query
}

// An Open opens the dump of a configuration. Lines for the user, such as the defects of a symbol file, go to console.
type Open func(l Launch, console io.Writer) (Opened, error)

// A session is what one client has open.
type session struct {
	open     Open
	client   client
	launch   Launch
	dump     Opened
	report   *report.Report // nil before the launch
	headline string         // what happened, in one line
	refs     []container    // lists of variables, by their reference less 1
	sums     map[sourceFile]dap.Checksum

	sending sync.Mutex // of the two below
	out     io.Writer
	seq     int

	mu      sync.Mutex
	running int          // the request that is being answered
	pending map[int]bool // requests without an answer, by number: whether the client does not wait for it
}

// A client is what initialize says of one.
type client struct {
	LinesStartAt1             *bool `json:"linesStartAt1"`   // null is true
	ColumnsStartAt1           *bool `json:"columnsStartAt1"` // null is true
	SupportsProgressReporting bool  `json:"supportsProgressReporting"`
}

type request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// errCancelled is the message of a cancelled request, as the specification has it.
var errCancelled = errors.New("cancelled")

// waiting bounds the requests that are read ahead, so that one may cancel another.
const waiting = 64

// Serve answers the client at in and out until in ends, or the client disconnects.
func Serve(in io.Reader, out io.Writer, open Open) error {
	s := &session{open: open, out: out, pending: map[int]bool{}}
	requests, done := make(chan request, waiting), make(chan struct{})
	defer close(done)
	failed := make(chan error, 1)
	go func() {
		defer close(requests)
		failed <- s.readAll(in, requests, done)
	}()
	for q := range requests {
		if err := s.answer(q); err != nil {
			return err
		}
		if q.Command == "disconnect" || q.Command == "terminate" {
			return nil
		}
	}
	return <-failed
}

// readAll reads requests until in ends. A request to cancel another one counts at once.
func (s *session) readAll(in io.Reader, requests chan<- request, done <-chan struct{}) error {
	r := bufio.NewReader(in)
	for {
		data, err := dap.ReadBaseMessage(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var q request
		if err == nil {
			err = json.Unmarshal(data, &q)
		}
		if err != nil {
			return fmt.Errorf("adapter: a message of the client: %w", err)
		}
		if q.Type == "request" {
			s.note(q)
		} else {
			continue // a response to nothing that was requested
		}
		select {
		case requests <- q:
		case <-done:
			return nil
		}
	}
}

// note notes a request, and which one it cancels.
func (s *session) note(q request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[q.Seq] = false
	var of dap.CancelArguments
	if q.Command == "cancel" && json.Unmarshal(q.Arguments, &of) == nil && of.RequestId != q.Seq {
		if _, waits := s.pending[of.RequestId]; waits {
			s.pending[of.RequestId] = true
		}
	}
}

func (s *session) isCancelled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending[s.running]
}

// options are those of the dump's queries.
func (s *session) options() analyze.Options {
	out := s.dump.Options
	out.Cancelled = s.isCancelled
	return out
}

type response struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

// answer answers a request, and sends the events that follow it.
func (s *session) answer(q request) error {
	s.mu.Lock()
	s.running = q.Seq
	s.mu.Unlock()
	body, err := s.run(q)
	s.mu.Lock()
	delete(s.pending, q.Seq)
	s.mu.Unlock()
	out := &response{Body: body}
	out.Type, out.RequestSeq, out.Command, out.Success = "response", q.Seq, q.Command, err == nil
	if errors.Is(err, analyze.ErrCancelled) {
		err = errCancelled
	}
	if err != nil {
		out.Message = err.Error()
		details := dap.ErrorMessage{Id: 1, Format: "{message}", Variables: map[string]string{"message": out.Message}, ShowUser: q.Command == "launch" || q.Command == "attach"}
		out.Body = dap.ErrorResponseBody{Error: &details}
	}
	if err := s.send(out, &out.Seq); err != nil || !out.Success {
		return err
	}
	return s.follow(q.Command)
}

func (s *session) run(q request) (body any, err error) {
	defer bug.Catch(&err)
	handle, known := requests()[q.Command]
	switch {
	case s.isCancelled():
		return nil, errCancelled
	case refused[q.Command] != "":
		return nil, errors.New(refused[q.Command])
	case !known:
		return nil, fmt.Errorf("a dump has no request %q", q.Command)
	case s.report == nil && !early[q.Command]:
		return nil, errors.New("no dump is open: launch comes first")
	}
	return handle(s, q.Arguments)
}

// follow sends the events behind a response: the client may configure after the launch, and the dump stops behind that.
func (s *session) follow(command string) error {
	switch command {
	case "launch", "attach":
		return s.event("initialized", nil)
	case "configurationDone":
		if s.report == nil {
			return nil
		}
		return s.event("stopped", dap.StoppedEventBody{
			Reason: "exception", Description: s.report.Verdict.What, Text: s.headline, ThreadId: s.crashing() + 1, AllThreadsStopped: true,
		})
	case "disconnect", "terminate":
		return s.event("terminated", nil)
	}
	return nil
}

type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

func (s *session) event(name string, body any) error {
	out := &event{Body: body}
	out.Type, out.Event.Event = "event", name
	return s.send(out, &out.Seq)
}

// send sends a message with the next number. Control characters in names of a dump are escaped.
func (s *session) send(m dap.Message, seq *int) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	s.seq++
	*seq = s.seq
	var text bytes.Buffer
	data, err := json.Marshal(m)
	if err == nil {
		_, err = render.SafeJSON(&text).Write(data)
	}
	if err == nil {
		err = dap.WriteBaseMessage(s.out, text.Bytes())
	}
	return err
}

// Write shows text in the client's console.
func (s *session) Write(text []byte) (int, error) {
	return len(text), s.event("output", dap.OutputEventBody{Category: "console", Output: render.Escape(strings.TrimSpace(string(text))) + "\n"})
}
