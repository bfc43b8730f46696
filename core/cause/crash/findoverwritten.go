package crash

import "fmt"

// findOverwritten reports a return address that is another one on the shadow stack, which only calls write.
func (s *facts) findOverwritten() []candidate {
	for i := range s.in.Frames {
		f := &s.in.Frames[i]
		if f.Overwritten == nil || f.Inline != nil {
			continue
		}
		caller := f.place()
		why := fmt.Sprintf("The return address of frame %d was overwritten: the shadow stack has %s, and the stack has %s at %s.",
			f.Index-1, caller, f.Overwritten.Value, f.Overwritten.Address)
		return statement(Finding{Kind: StackSmashed, Text: "Return address overwritten", Confidence: 1, Evidence: []string{why}})
	}
	return nil
}
