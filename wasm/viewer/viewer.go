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
	"crashglass/core/container"
	"crashglass/core/natvis"
	"crashglass/core/render"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/core/variables"
	"crashglass/symbols"
	"crashglass/symbols/archive"
	"crashglass/symbols/decompress"
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
	number  int
	name    string
	archive []string // the archives that contain it, outermost first
	session *analyze.Session
	report  *report.Report
	clean   []byte // the dump that Sanitize made last
}

func newViewer() *viewer {
	v := &viewer{meter: newMeter(func([]byte) error { return nil }), indexes: newIndexes(), patience: patience{now: time.Now}}
	v.store = symbols.NewStore(symbols.Options{Limits: v.limits(), Cache: v.indexes, Ask: symbols.LeastAsked, AskPage: bridge.PageSize, Later: func(string, int64) error { return v.patience.later() }, Whole: v.needsWhole, Progress: func(name string, done, total int64) error {
		phase := "indexing"
		if total == 0 { // the size of unpacked data is unknown
			phase = "reading"
		}
		return v.meter.tell(Progress{Phase: phase, File: name, Done: done, Total: total})
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

// handle answers one request.
func (v *viewer) handle(r bridge.Request) (bridge.Answer, error) {
	request, err := parseRequest(r.JSON)
	if err != nil {
		return bridge.Answer{}, err
	}
	v.meter = newMeter(r.Progress)
	if r.Scratch != nil {
		v.scratch = r.Scratch
	}
	switch q := request.(type) {
	case *TakeRequest:
		return asJSON(v.take(q, r.Files), nil)
	case *ReportRequest:
		return asJSON(v.report(q))
	case *ScanRequest:
		data, err := v.scan(q, r.Files)
		return bridge.Answer{Bytes: data}, err
	case *IndexRequest:
		v.indexes.bring(q.Key, r.Files)
		return bridge.Answer{}, nil
	case *WholeRequest:
		if q.Why == "" {
			v.store.Whole(q.Path)
		} else {
			v.store.Refuse(q.Path, q.Why)
		}
		return bridge.Answer{}, nil
	case *ScannedRequest:
		made := v.indexes.take()
		answer, err := asJSON(ScannedResult{made.key}, nil)
		answer.Bytes = made.data
		return answer, err
	case *ExplainRequest:
		return asJSON(v.explain(q))
	case *VariablesRequest:
		return asJSON(v.variables(q))
	case *GlobalsRequest:
		return asJSON(v.globals(q))
	case *RenderRequest:
		data, err := v.render(q)
		return bridge.Answer{Bytes: data}, err
	case *MemoryRequest:
		data, err := v.memory(q)
		return bridge.Answer{Bytes: data}, err
	case *DisassembleRequest:
		return asJSON(v.disassemble(q))
	case *GivenRequest:
		return asJSON(v.store.Given(), nil)
	case *PointersRequest:
		return asJSON(v.pointers(q))
	case *CapturedRequest:
		return asJSON(v.captured(q))
	case *FindRequest:
		return asJSON(v.find(q))
	case *WarmRequest:
		return v.warm(r.Files)
	case *ChecklistRequest:
		return asJSON(v.checklist(q))
	case *SanitizeRequest:
		return asJSON(v.sanitize(q))
	case *SanitizedRequest:
		data, err := v.sanitized(q)
		return bridge.Answer{Bytes: data}, err
	case *SliceRequest:
		return asJSON(v.slice(q))
	case *CapsuleRequest:
		return asJSON(v.capsule(q, r.Files))
	case *FieldsRequest:
		return asJSON(v.fields(q))
	case *FileRequest:
		data, err := v.file(q)
		return bridge.Answer{Bytes: data}, err
	case *ForceRequest:
		return asJSON(v.force(q))
	case *SymsRequest:
		data, err := v.syms(q)
		return bridge.Answer{Bytes: data}, err
	}
	return bridge.Answer{}, fmt.Errorf("viewer: no handler for %T", request)
}

func asJSON(value any, err error) (bridge.Answer, error) {
	if err != nil {
		return bridge.Answer{}, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return bridge.Answer{}, fmt.Errorf("viewer: answer: %w", err)
	}
	return bridge.Answer{JSON: data}, nil
}

func (v *viewer) dump(number int) (*dump, error) {
	for _, d := range v.dumps {
		if d.number == number {
			return d, nil
		}
	}
	return nil, fmt.Errorf("viewer: dump %d is not open", number)
}

func (v *viewer) explain(q *ExplainRequest) (report.Thread, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return report.Thread{}, err
	}
	th, err := d.session.Explain(v.store, q.Thread, analyze.Options{})
	render.ThreadSentences(&th)
	return th, err
}

func (v *viewer) variables(q *VariablesRequest) ([]analyze.FrameVariables, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	asked := analyze.VariablesQuery{Thread: q.Thread, Frame: q.Frame, Elements: q.Elements, Scope: q.Scope, Number: q.Number}
	return d.session.Variables(v.store, asked, v.values())
}

func (v *viewer) globals(q *GlobalsRequest) (analyze.ModuleGlobals, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return analyze.ModuleGlobals{}, err
	}
	opt := v.values()
	opt.Globals = variables.Named([]string{q.Name}, variables.Limits{Elements: analyze.Elements(q.Elements)})
	return d.session.Globals(v.store, q.Module, opt)
}

// values are the options for reading variables.
func (v *viewer) values() analyze.Options {
	return analyze.Options{Variables: variables.Read, Views: &v.views}
}

// reportFormats are the formats in which a report can be written.
var reportFormats = map[string]func(io.Writer, *report.Report, render.Options) error{
	"json":     func(w io.Writer, r *report.Report, _ render.Options) error { return render.JSON(w, r) },
	"text":     render.Text,
	"machine":  render.Machine,
	"markdown": render.Markdown,
	"html":     render.HTML,
}

func (v *viewer) render(q *RenderRequest) ([]byte, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	write, ok := reportFormats[q.Format]
	if !ok {
		return nil, fmt.Errorf("viewer: no format %q", q.Format)
	}
	if d.report == nil {
		return nil, fmt.Errorf("viewer: dump %d was not analysed", q.Dump)
	}
	r, opt := d.report, render.Options{}
	if q.Values {
		r = d.session.WithVariables(r, v.store, v.values())
	}
	if q.Masked {
		r = sanitize.Mask(r, sanitize.People(d.session))
	}
	if q.Memory {
		opt.Memory = d.stack()
	}
	var text bytes.Buffer
	if err := write(&text, r, opt); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

func (v *viewer) memory(q *MemoryRequest) ([]byte, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	addr, err := address(q.Address)
	if err != nil {
		return nil, err
	}
	return d.session.ReadMemory(addr, q.Size), nil
}

func (v *viewer) disassemble(q *DisassembleRequest) (analyze.Code, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return analyze.Code{}, err
	}
	addr, err := address(q.Address)
	if err != nil {
		return analyze.Code{}, err
	}
	return d.session.Disassemble(v.store, addr, q.Before, q.After), nil
}

func (v *viewer) pointers(q *PointersRequest) ([]analyze.Pointer, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	addresses := make([]uint64, 0, min(len(q.Addresses), analyze.MostPointers))
	for _, text := range q.Addresses[:min(len(q.Addresses), analyze.MostPointers)] {
		addr, err := address(text)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, addr)
	}
	return d.session.NamedPointers(v.store, addresses), nil
}

func (v *viewer) captured(q *CapturedRequest) ([]analyze.CapturedRange, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return nil, err
	}
	return d.session.Captured(), nil
}

func (v *viewer) find(q *FindRequest) (analyze.Found, error) {
	d, err := v.dump(q.Dump)
	if err != nil {
		return analyze.Found{}, err
	}
	from, err := address(q.From)
	if err != nil {
		return analyze.Found{}, err
	}
	pattern, err := hex.DecodeString(q.Pattern)
	if err != nil {
		return analyze.Found{}, fmt.Errorf("viewer: %q is not hex", q.Pattern)
	}
	return d.session.Find(pattern, from), nil
}

func address(text string) (uint64, error) {
	addr, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("viewer: %q is no address", text)
	}
	return addr, nil
}
