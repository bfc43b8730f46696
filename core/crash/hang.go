package crash

import (
	"fmt"
	"strings"
)

// deadlock returns the verdict for threads that wait for each other.
func (h *Waits) deadlock() string {
	waits := fmt.Sprintf("No crash: %d of %d threads wait; %s", h.Waiting, h.Threads, ringText(h.Rings[0]))
	if more := len(h.Rings) - 1; more > 0 {
		waits += fmt.Sprintf("; %d more such %s", more, map[bool]string{true: "ring", false: "rings"}[more == 1])
	}
	return waits
}

// aside is deadlock for a process that a signal ended, as hung ones often are.
func (h *Waits) aside() string {
	text := ringText(h.Rings[0])
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// mostNamed is the number of threads of a ring that are named.
const mostNamed = 4

func ringText(ring []uint32) string {
	if len(ring) == 1 {
		return fmt.Sprintf("thread %d waits for itself", ring[0])
	}
	if len(ring) > mostNamed {
		return fmt.Sprintf("%d threads wait for each other in a ring", len(ring))
	}
	var names []string
	for _, id := range ring {
		names = append(names, fmt.Sprint(id))
	}
	last := len(names) - 1
	return fmt.Sprintf("threads %s and %s wait for each other", strings.Join(names[:last], ", "), names[last])
}
