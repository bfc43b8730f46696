package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"crashglass/cmd/internal/profiler"
)

// largestQuery bounds the bytes of a query: a profile with 200,000 frames has 2 MB.
const largestQuery = 32 << 20

// queries answers profilers. A page gets an answer only if its origin is named; programs of this machine send no origin.
type queries struct {
	server  profiler.Server
	origins []string
}

func newQueries(f *files, s *serveFlags) (*queries, error) {
	q := &queries{profiler.Server{Symbols: f.store}, s.origins}
	for _, name := range s.sources {
		root, err := os.OpenRoot(name) // links do not lead out of it
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		full, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		q.server.Sources = append(q.server.Sources, profiler.Folder{Path: filepath.ToSlash(full), Files: root.FS()})
	}
	return q, nil
}

// ServeHTTP answers POST, and OPTIONS, with which a browser asks first what another page may send.
func (q *queries) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin != "" && !slices.Contains(q.origins, origin) {
		http.Error(w, "this origin is not allowed: name it with --allow-origin", http.StatusForbidden)
		return
	}
	if origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
	}
	switch r.Method {
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		h.Set("Access-Control-Allow-Private-Network", "true")
		w.WriteHeader(http.StatusNoContent)
	case http.MethodPost:
		q.answer(w, r)
	default:
		h.Set("Allow", "POST, OPTIONS")
		http.Error(w, "a query is a POST", http.StatusMethodNotAllowed)
	}
}

// answer writes JSON, also for an error, as profilers expect it.
func (q *queries) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestQuery))
	var answer any
	if err == nil {
		answer, err = q.server.Answer(r.URL.Path, body)
	} else {
		err = fmt.Errorf("%w: %w", profiler.ErrMalformed, err)
	}
	w.Header().Set("Content-Type", "application/json")
	if errors.Is(err, profiler.ErrMalformed) {
		w.WriteHeader(http.StatusBadRequest)
	}
	if err != nil {
		answer = map[string]string{"error": err.Error()}
	}
	json.NewEncoder(w).Encode(answer) // the client has closed the connection
}

// originForm is the form of a page's origin, as browsers write it.
var originForm = regexp.MustCompile(`^https?://(\[[0-9a-f:]+\]|[0-9a-z.-]+)(:[0-9]+)?$`)
