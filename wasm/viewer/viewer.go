package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"crashglass/core/analyze"
	"crashglass/core/dump/container"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/sanitize"
	"crashglass/core/values/natvis"
	"crashglass/core/values/variables"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
	"crashglass/wasm/internal/bridge"
)

// A viewer holds the files that were given to one worker.
type viewer struct {
	store    *symbols.Store
	indexes  *indexes
	patience patience
	wholes   []string   // remote files that this request needs as a whole
	views    natvis.Set // of NatVis files
	dumps    []*dump
	meter    *meter       // of the current request
	scratch  bridge.Store // the page's latest one, nil if it has none
}

// A dump is an open dump with its last report.
type dump struct {
	number   int
	name     string
	identity string
	archive  []string // the archives that contain it, outermost first
	session  *analyze.Session
	report   *report.Report
	release  func() // frees what it reads
}

func newViewer() *viewer {
	x := &indexes{files: map[string]inputFile{}, received: map[string]receivedIndex{}, large: map[string]bool{}}
	v := &viewer{meter: newMeter(func([]byte) error { return nil }), indexes: x, patience: patience{now: time.Now}}
	v.store = symbols.NewStore(symbols.Options{Limits: v.limits(), Cache: v.indexes, SearchFrom: symbols.LeastSearched, SearchPage: bridge.PageSize,
		BeforeRead: func(string, int64) error { return v.patience.beforeRead() }, Whole: v.needsWhole, Progress: func(name string, done, total int64) error {
			phase := Indexing
			if total == 0 { // the size of unpacked data is unknown
				phase = Reading
			}
			return v.meter.report(Progress{Phase: phase, File: name, Done: done, Total: total})
		}})
	return v
}

// limits are those of archives. Data that does not fit into memory goes to the page's scratch,
// which arrives before the first file that could need it.
func (v *viewer) limits() archive.Limits {
	scratch := func() (archive.Scratch, error) {
		if v.scratch == nil {
			return nil, errors.New("viewer: the browser has no private file system here")
		}
		return v.scratch, nil
	}
	return archive.Limits{Decompressors: decompress.All(), Seekers: decompress.Seekers(), Scratch: scratch, Stated: container.StatedSize}
}

// handle answers one request. Its answer says which dump it is about.
func (v *viewer) handle(r bridge.Request) (bridge.Answer, error) {
	v.meter = newMeter(r.Progress)
	if r.Scratch != nil {
		v.scratch = r.Scratch
	}
	c := call{viewer: v, files: r.Files}
	answer, err := c.answer(r.JSON)
	if c.dump != nil {
		answer.About = c.dump.identity
	}
	return answer, err
}

func (v *viewer) opened(number int) (*dump, error) {
	for _, d := range v.dumps {
		if d.number == number {
			return d, nil
		}
	}
	return nil, fmt.Errorf("viewer: dump %d is not open", number)
}

func (c *call) explain(q *ExplainRequest) (*report.Thread, error) {
	th, err := c.dump.session.Explain(c.store, q.Thread, analyze.Options{Retrace: c.store.Retrace, Generated: c.store.Generated})
	render.ThreadSentences(&th)
	return &th, err
}

func (c *call) variables(q *VariablesRequest) ([]analyze.FrameVariables, error) {
	query := analyze.VariablesQuery{Thread: q.Thread, Frame: q.Frame, Elements: q.Elements, Scope: q.Scope, Number: q.Number}
	return c.dump.session.Variables(c.store, query, c.values())
}

func (c *call) globals(q *GlobalsRequest) (*analyze.ModuleGlobals, error) {
	opt := c.values()
	opt.Globals = variables.Named([]string{q.Name}, variables.Limits{Elements: analyze.Elements(q.Elements)})
	found, err := c.dump.session.Globals(c.store, q.Module, opt)
	return &found, err
}

func (v *viewer) values() analyze.Options {
	return analyze.Options{Variables: variables.Read, Views: &v.views, Runtimes: interpreters()}
}

func (c *call) symbolFiles(*SymbolFilesRequest) ([]symbols.FileInfo, error) {
	return c.store.Files(), nil
}

var reportFormats = map[Format]func(io.Writer, *report.Report, render.Options) error{
	JSON:     func(w io.Writer, r *report.Report, _ render.Options) error { return render.JSON(w, r) },
	Text:     render.Text,
	Machine:  render.Machine,
	Markdown: render.Markdown,
	HTML:     render.HTML,
}

func (c *call) render(q *RenderRequest) ([]byte, error) {
	write, ok := reportFormats[q.Format]
	if !ok {
		return nil, fmt.Errorf("viewer: no format %q", q.Format)
	}
	r, err := c.analysed()
	if err != nil {
		return nil, err
	}
	opt := render.Options{}
	if q.Values {
		r = c.dump.session.WithVariables(r, c.store, c.values())
	}
	if q.Masked {
		r = sanitize.Mask(r, sanitize.People(c.dump.session))
	}
	if q.Memory {
		opt.Memory = c.dump.stack()
	}
	var text bytes.Buffer
	if err := write(&text, r, opt); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// analysed returns the report of the dump. A worker that replaces another has made it before (operation.needsSymbols).
func (c *call) analysed() (*report.Report, error) {
	if c.dump.report == nil {
		return nil, fmt.Errorf("viewer: dump %d was not analysed", c.dump.number)
	}
	return c.dump.report, nil
}

func (c *call) memory(q *MemoryRequest) ([]byte, error) {
	addr, err := address(q.Address)
	if err != nil {
		return nil, err
	}
	return c.dump.session.ReadMemory(addr, q.Size), nil
}

func (c *call) disassemble(q *DisassembleRequest) (*analyze.Code, error) {
	addr, err := address(q.Address)
	if err != nil {
		return nil, err
	}
	code := c.dump.session.Disassemble(c.store, addr, q.Before, q.After)
	return &code, nil
}

func (c *call) pointers(q *PointersRequest) ([]analyze.Pointer, error) {
	addresses := make([]uint64, 0, min(len(q.Addresses), analyze.MostPointers))
	for _, text := range q.Addresses[:min(len(q.Addresses), analyze.MostPointers)] {
		addr, err := address(text)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, addr)
	}
	return c.dump.session.NamedPointers(c.store, addresses), nil
}

func (c *call) captured(q *CapturedRequest) ([]analyze.CapturedRange, error) {
	return c.dump.session.Captured(), nil
}

func (c *call) find(q *FindRequest) (*analyze.Found, error) {
	from, err := address(q.From)
	if err != nil {
		return nil, err
	}
	pattern, err := hex.DecodeString(q.Pattern)
	if err != nil {
		return nil, fmt.Errorf("viewer: %q is not hex", q.Pattern)
	}
	found := c.dump.session.Find(pattern, from)
	return &found, nil
}

func address(text string) (uint64, error) {
	addr, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("viewer: %q is no address", text)
	}
	return addr, nil
}

// often is the interval of progress messages. The page expects one at least every 100 ms of work.
const often = 50 * time.Millisecond

// A meter reports progress to the page, but not more often than a user could see.
type meter struct {
	send func(json []byte) error
	last time.Time
	now  func() time.Time
}

func newMeter(send func(json []byte) error) *meter { return &meter{send: send, now: time.Now} }

// report sends p, unless the last one was just sent.
func (m *meter) report(p Progress) error {
	now := m.now()
	if now.Sub(m.last) < often {
		return nil
	}
	m.last = now
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return m.send(data)
}
