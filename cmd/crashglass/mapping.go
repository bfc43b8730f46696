package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A mapping rewrites the path of a source file, for example to the address of its revision.
//
// Source: src/mapping.rs of mozilla/dump_syms 2.3.9.
type mapping struct {
	from *regexp.Regexp    // unanchored: it may match a part of a path
	to   string            // the whole new path
	vars map[string]string // by name, from --mapping-var
}

// mappingFlags are the flags of mappings. Each may be repeated; the n-th source belongs to the n-th
// destination.
type mappingFlags struct{ vars, from, to []string }

// registerMapping adds the flags that rename source files. Their names and texts are the original's.
func registerMapping(s *standIn) *mappingFlags {
	var m mappingFlags
	s.StringArrayVar(&m.vars, "mapping-var", nil, "`NAME=VALUE` for {NAME} in --mapping-dest")
	s.StringArrayVar(&m.from, "mapping-src", nil, "regular `expression` that matches paths of source files")
	s.StringArrayVar(&m.to, "mapping-dest", nil, "the new path: a `text` with {1} for groups and {NAME} for variables")
	return &m
}

// mapped turns flags into rules. {digest} is refused: the original replaces it by the SHA-512 of the
// source file, which is rarely on the machine that makes symbols.
func (e *symEdit) mapped(m *mappingFlags) error {
	if len(m.from) != len(m.to) {
		return fmt.Errorf("there are %d --mapping-src for %d --mapping-dest: give as many of each", len(m.from), len(m.to))
	}
	vars := map[string]string{}
	for _, v := range m.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return fmt.Errorf("--mapping-var %q has no =", v)
		}
		vars[name] = value
	}
	for i := range m.from {
		from, err := regexp.Compile(m.from[i])
		if err != nil {
			return fmt.Errorf("--mapping-src: %v", err)
		}
		if strings.Contains(strings.ToLower(m.to[i]), "{digest}") {
			return errors.New("{digest} in --mapping-dest needs the source files, which are not read: leave it out")
		}
		e.rules = append(e.rules, mapping{from, m.to[i], vars})
	}
	return nil
}

// placeholder matches the parts of a destination that apply replaces.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// apply rewrites a path, if the rule matches it. A placeholder that names no variable and no group
// stays as it is.
func (m mapping) apply(path string) (string, bool) {
	groups := m.from.FindStringSubmatch(path)
	if groups == nil {
		return path, false
	}
	return placeholder.ReplaceAllStringFunc(m.to, func(p string) string {
		name := p[1 : len(p)-1]
		if value, ok := m.vars[name]; ok {
			return value
		}
		var n int
		if _, err := fmt.Sscanf(name, "%d", &n); err == nil && n < len(groups) {
			return groups[n]
		}
		return p
	}), true
}
