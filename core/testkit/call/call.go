// Package call finds a method of a value by the type of its argument. Tests that write and read
// every stream use it instead of a table of methods. It reports a missing or ambiguous method, and
// does not choose.
package call

import "reflect"

// With calls the one method of a receiver that takes a value of this type and
// nothing else. It reports whether there is exactly one.
func With(receiver, value any) bool {
	r, v := reflect.ValueOf(receiver), reflect.ValueOf(value)
	var takes []reflect.Value
	for i := range r.NumMethod() {
		if t := r.Method(i).Type(); t.NumIn() == 1 && t.NumOut() == 0 && !t.IsVariadic() && v.IsValid() && t.In(0) == v.Type() {
			takes = append(takes, r.Method(i))
		}
	}
	if len(takes) != 1 {
		return false
	}
	takes[0].Call([]reflect.Value{v})
	return true
}
