package waits

// Cycles lists the threads that wait for each other, each ring from its first thread on; a thread
// waits for the next one. Every thread waits for at most one other, so each is visited at most
// twice.
func Cycles(list []*Wait) (rings [][]int) {
	const seen = 1
	mark := make([]int, len(list)) // the walk that visited a thread, 0 for none
	for start := range list {
		walk := start + seen
		i := start
		for i >= 0 && mark[i] == 0 {
			mark[i] = walk
			i = ends(list, i)
		}
		if i >= 0 && mark[i] == walk {
			rings = append(rings, ring(list, i))
		}
	}
	return rings
}

// ends returns the thread that can end another's wait, or -1.
func ends(list []*Wait, i int) int {
	if w := list[i]; w != nil && w.Thread >= 0 && w.Thread < len(list) {
		return w.Thread
	}
	return -1
}

// ring returns the threads of a ring from its lowest index on.
func ring(list []*Wait, in int) []int {
	first := in
	for i := ends(list, in); i != in; i = ends(list, i) {
		first = min(first, i)
	}
	out := []int{first}
	for i := ends(list, first); i != first; i = ends(list, i) {
		out = append(out, i)
	}
	return out
}

// Behind lists the threads outside of rings that wait for a thread in one, directly or through
// others.
func Behind(list []*Wait, rings [][]int) (out []int) {
	stuck := make([]bool, len(list))
	for _, r := range rings {
		for _, i := range r {
			stuck[i] = true
		}
	}
	leads := make([]uint8, len(list)) // 0 for not known, no, yes
	for i := range list {
		if !stuck[i] && leadsTo(list, stuck, leads, i) {
			out = append(out, i)
		}
	}
	return out
}

const (
	no  = 1
	yes = 2
)

// leadsTo follows the waits from one thread until the answer is known, and records it for all
// threads on the way.
func leadsTo(list []*Wait, stuck []bool, leads []uint8, i int) bool {
	var way []int
	for i >= 0 && !stuck[i] && leads[i] == 0 {
		way = append(way, i)
		i = ends(list, i)
	}
	answer := uint8(no)
	if i >= 0 && (stuck[i] || leads[i] == yes) {
		answer = yes
	}
	for _, w := range way {
		leads[w] = answer
	}
	return answer == yes
}
