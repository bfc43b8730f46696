package search

// maxAnswers bounds how many answers are remembered. The first ones belong to the main thread of a
// report.
const maxAnswers = 1 << 14

// A State says whether a file is searched, and remembers the answers until the file was scanned. The
// zero value is that of a file that is not searched. The caller's lock guards it.
type State struct {
	Unanswered int // queries that were left without an answer because the scan had to wait
	Differ     int // answers that the scan did not confirm

	// Answers repeat the queries of a search, and report whether the answers are still the same.
	Answers []func() bool

	searching, doubt bool
}

// Begin begins the search, or takes it up again after a scan that failed.
func (s *State) Begin() { s.searching = true }

// End ends the search. From now on queries are answered by the scan.
func (s *State) End() { s.searching = false }

// Searching reports whether queries are answered by search.
func (s *State) Searching() bool { return s.searching }

// Doubt says that the answer to the current query needs a scan.
func (s *State) Doubt() { s.doubt = true }

// InDoubt reports whether the current query needs a scan. Nothing of its answer is to be kept.
func (s *State) InDoubt() bool { return s.Searching() && s.doubt }

// Remember remembers an answer: confirm repeats the query after the scan and reports whether the answer
// is the same.
func (s *State) Remember(confirm func() bool) {
	if len(s.Answers) < maxAnswers {
		s.Answers = append(s.Answers, confirm)
	}
}

// Compare compares the answers with those of the scan, and counts in Differ. It can be repeated.
func (s *State) Compare() {
	s.Differ = 0
	for _, confirm := range s.Answers {
		if !confirm() {
			s.Differ++
		}
	}
}

// Try answers a query by search. It reports false if that is not certain. Answers are kept, and
// compared by same; with nil they are not.
func Try[T any](s *State, query func() (T, bool), same func(a, b T) bool) (answer T, ok bool) {
	s.doubt = false
	if answer, ok = query(); !ok || s.doubt {
		var none T
		return none, false
	}
	if same != nil {
		s.Remember(func() bool { now, _ := query(); return same(answer, now) })
	}
	return answer, true
}

// Query tries to answer a query by search. If it is not certain, it calls scan, which reads the
// file if it was not read and ends the search, and repeats the query. If the scan fails, the query
// stays unanswered.
func Query[T any](s *State, query func() (T, bool), same func(a, b T) bool, scan func() error) (answer T, ok bool) {
	if s.Searching() {
		if answer, ok = Try(s, query, same); ok {
			return answer, true
		}
	}
	if scan() != nil {
		s.Unanswered++
		return answer, false
	}
	return query()
}
