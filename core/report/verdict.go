package report

// A Verdict is the result in one sentence, with its evidence.
type Verdict struct {
	What       string      `json:"what"`       // "Null pointer read"
	Where      *string     `json:"where"`      // "middle": function, or module + offset
	Guess      bool        `json:"guess"`      // Where is only probable: its frame, or one before it, was found by scanning
	At         *string     `json:"at"`         // "threads.cpp:12"
	Detail     string      `json:"detail"`     // one or two sentences about the mechanism, with the values that prove it; may be ""
	Crashed    bool        `json:"crashed"`    // false for a dump written on request
	Finding    FindingKind `json:"finding"`    // the kind of the cause; "" when it is unknown
	Row        *int        `json:"row"`        // the row of the crashing thread's stack that Where names; inlined calls have rows of their own
	Confidence *float32    `json:"confidence"` // in Finding, 0 to 1, if it was estimated
	Badges     []Badge     `json:"badges"`     // further claims
}

// A Badge is one claim about the crash, with evidence.
type Badge struct {
	Kind       BadgeKind   `json:"kind"`
	Finding    FindingKind `json:"finding"`    // its subject
	Text       string      `json:"text"`       // "Null pointer + 0x8"
	Evidence   []string    `json:"evidence"`   // sentences
	Confidence *float32    `json:"confidence"` // 0 to 1, if it was estimated
}
