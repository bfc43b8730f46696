package demangle

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// The library counts substitutions wrongly for a qualifier with template arguments in an unresolved
// name (<unresolved-qualifier-level>, in <unresolved-name> of the ABI), as clang up to 16 writes
// them in std::swap<int> and in functions that move the elements of a std::vector:
//
//	sr 3std 9is_signed I T_ E E 5value      std::is_signed<T>::value
//
// Such a qualifier is no candidate for substitution, but the library makes it one, so that every
// later back reference is off by one. It does not do so for expressions. So the qualifiers are
// rewritten as the expressions of a list, as if a member of that list were named:
//
//	dt il 3std 9is_signed I T_ E E 5value   {std, is_signed<T>}.value
//
// and in the resulting tree each such list becomes a scope again.

// maxQualified bounds how often the library reads a name: once for each place
// that is rewritten. The longest seen has 6 such places.
const maxQualified = 16

func toTree(name string) (demangle.AST, error) {
	if fixed, n := listQualifiers(name); n > 0 {
		if tree, err := demangle.ToAST(fixed); err == nil && len(scopesIn(tree)) >= n {
			if tree, ok := withScopes(tree); ok {
				return tree, nil
			}
		}
	}
	return demangle.ToAST(name)
}

// listQualifiers rewrites the places of a name where it changes what back
// references mean, and returns how many there are. A place is one if the library
// reads a list there: in the middle of an identifier it does not.
func listQualifiers(name string) (fixed string, places int) {
	fixed = name
	for at := 0; places < maxQualified; {
		i := strings.Index(fixed[at:], "sr")
		if i < 0 {
			break
		}
		at += i + 2
		if !isTemplateQualifier(fixed[at:]) {
			continue
		}
		try := fixed[:at-2] + "dtil" + fixed[at:]
		if tree, err := demangle.ToAST(try); err == nil && len(scopesIn(tree)) > places {
			fixed, places = try, places+1
		}
	}
	return fixed, places
}

// isTemplateQualifier reports whether a text begins with identifiers, with
// template arguments behind the last one, and has a back reference after that.
func isTemplateQualifier(s string) bool {
	for {
		digits, n := 0, 0
		for digits < min(len(s), 5) && s[digits] >= '0' && s[digits] <= '9' {
			n = 10*n + int(s[digits]-'0')
			digits++
		}
		if n == 0 || n >= len(s)-digits {
			return false
		}
		if s = s[digits+n:]; s[0] == 'I' {
			return strings.Contains(s, "S")
		}
	}
}

// Parts of a tree are shared, so that each is visited once.
func scopesIn(tree demangle.AST) map[demangle.AST]bool {
	found, seen := map[demangle.AST]bool{}, map[demangle.AST]bool{}
	tree.Traverse(func(a demangle.AST) bool {
		if seen[a] {
			return false
		}
		seen[a] = true
		if scopeOf(a) != nil {
			found[a] = true
		}
		return true
	})
	return found
}

// maxScopeWork bounds the copying of a tree, which visits what is shared again.
const maxScopeWork = 1 << 16

// A template parameter points to the template that it is of, so that the arguments of templates are changed where they are.
func withScopes(tree demangle.AST) (demangle.AST, bool) {
	work := 0
	skip := func(demangle.AST) bool { work++; return work > maxScopeWork }
	changed := func(a demangle.AST) demangle.AST {
		if a = a.Copy(scopeOf, skip); a != nil {
			return a
		}
		return nil
	}
	seen := map[demangle.AST]bool{}
	tree.Traverse(func(a demangle.AST) bool {
		if t, ok := a.(*demangle.Template); ok && !seen[a] {
			for i, arg := range t.Args {
				if c := changed(arg); c != nil {
					t.Args[i] = c
				}
			}
		}
		first := !seen[a]
		seen[a] = true
		return first
	})
	if c := changed(tree); c != nil {
		tree = c
	}
	return tree, work <= maxScopeWork
}

// scopeOf is the qualified name that a list stands for, or nil.
func scopeOf(a demangle.AST) demangle.AST {
	member, ok := a.(*demangle.Binary)
	if !ok {
		return nil
	}
	op, ok := member.Op.(*demangle.Operator)
	list, ok2 := member.Left.(*demangle.InitializerList)
	if !ok || !ok2 || op.Name != "." || list.Type != nil {
		return nil
	}
	levels, ok := list.Exprs.(*demangle.ExprList)
	if !ok || len(levels.Exprs) == 0 {
		return nil
	}
	scope := levels.Exprs[0]
	for _, level := range append(levels.Exprs[1:len(levels.Exprs):len(levels.Exprs)], member.Right) {
		scope = &demangle.Qualified{Scope: scope, Name: level}
	}
	return scope
}
