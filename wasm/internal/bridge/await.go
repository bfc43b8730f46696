//go:build js && wasm

package bridge

import (
	"errors"

	"github.com/hack-pad/safejs"
)

// await waits for a promise, and returns anything else as it is. It must not
// be called by a function that JavaScript called and waits for: the promise
// would have to wait for that function, and both would wait forever. What
// [Serve] calls is free to.
func await(value safejs.Value) (safejs.Value, error) {
	if value.Type() != safejs.TypeObject {
		return value, nil
	}
	then, err := value.Get("then")
	if err != nil || then.Type() != safejs.TypeFunction {
		return value, err
	}
	type outcome struct {
		value safejs.Value
		err   error
	}
	settled := make(chan outcome, 1) // room for the one that comes, should nobody be left to take it
	fulfilled, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		settled <- outcome{value: args[0]}
		return nil
	})
	if err != nil {
		return value, err
	}
	defer fulfilled.Release()
	rejected, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		settled <- outcome{err: reason(args[0])}
		return nil
	})
	if err != nil {
		return value, err
	}
	defer rejected.Release()
	if _, err := value.Call("then", fulfilled, rejected); err != nil {
		return value, err
	}
	o := <-settled
	return o.value, o.err
}

// reason makes an error of what a promise was rejected with.
func reason(value safejs.Value) error {
	if value.Type() == safejs.TypeObject {
		if message, err := value.Get("message"); err == nil {
			value = message
		}
	}
	text, err := value.String()
	if err != nil {
		return errors.New("rejected")
	}
	return errors.New(text)
}
