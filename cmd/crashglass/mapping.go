package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A mapping rewrites the path of a source file.
type mapping struct {
	from *regexp.Regexp
	to   string
	vars map[string]string
}

// mappingFlags are the flags of mappings. Each may be repeated.
type mappingFlags struct{ vars, from, to []string }

// registerMapping adds the flags that rename source files. Their names and texts are the original's.
func registerMapping(s *standIn) *mappingFlags {
	var m mappingFlags
	s.StringArrayVar(&m.vars, "mapping-var", nil, "`NAME=VALUE` for {NAME} in --mapping-dest")
	s.StringArrayVar(&m.from, "mapping-src", nil, "`expression` for paths of source files")
	s.StringArrayVar(&m.to, "mapping-dest", nil, "what such a path becomes: a `text` with {1} for groups and {NAME} for variables")
	return &m
}

// mapped turns flags into rules.
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

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// apply rewrites a path, if the rule matches it.
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
