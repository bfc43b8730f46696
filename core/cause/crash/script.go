package crash

import "fmt"

// A ScriptException is an exception of an interpreter that ends the program.
type ScriptException struct {
	Language, Type, Message string
}

// scriptEnds are pairs of functions, of which the first ends the program and the second calls it for an exception that nothing catches: V8's with
// --abort-on-uncaught-exception, and Node's for a rejected promise. Sources: V8, src/execution/isolate.cc; Node, src/node_errors.cc.
var scriptEnds = [...][2]string{
	{"v8::base::OS::Abort", "v8::internal::Isolate::CreateMessageOrAbort"},
	{"node::Abort", "node::errors::TriggerUncaughtException"},
	{"node::(anonymous namespace)::DefaultAbortHandler", "node::errors::TriggerUncaughtException"},
}

// findScript recognizes the end of a program by an exception of JavaScript.
func (s *facts) findScript() []candidate {
	for i := range s.in.Frames[:max(0, min(len(s.in.Frames)-1, endDepth))] {
		f, caller := &s.in.Frames[i], &s.in.Frames[i+1]
		for _, pair := range scriptEnds {
			if s.plainName(i) != pair[0] || s.plainName(i+1) != pair[1] || !f.certain() || !caller.certain() || f.Guess || caller.Guess {
				continue
			}
			out := Finding{Kind: Thrown, Text: "JavaScript exception", Confidence: 1}
			message := ""
			if t := s.in.Script; t != nil && t.Type != "" {
				out.Text += ": " + t.Type
				if t.Message != "" {
					message = "The message is: " + sentenceOf(t.Message)
				}
			}
			out.Evidence = compact(message, "Nothing catches it, and --abort-on-uncaught-exception ends the program then.", fmt.Sprintf("`%s` is on the stack.", caller.name()))
			return explanation(out)
		}
	}
	return nil
}
