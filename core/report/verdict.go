package report

// A Verdict is the answer in one sentence, with its grounds.
type Verdict struct {
	What       string      `json:"what"`       // "Null pointer read"
	Where      *string     `json:"where"`      // "middle": function, or module + offset
	Guess      bool        `json:"guess"`      // Where is probable only: its frame was scanned for, or one before it
	At         *string     `json:"at"`         // "threads.cpp:12"
	Detail     string      `json:"detail"`     // one or two sentences of mechanism with the values that prove it; may be ""
	Crashed    bool        `json:"crashed"`    // false for a dump written on request
	Finding    FindingKind `json:"finding"`    // what explains the crash; "" when nothing does
	Row        *int        `json:"row"`        // of the crashing thread's stack, which Where names; inlined calls have rows of their own
	Confidence *float32    `json:"confidence"` // in Finding, 0 to 1, where one was estimated
	Badges     []Badge     `json:"badges"`     // claims that add to the sentences above
}

// A Badge is one claim about the crash, with evidence.
type Badge struct {
	Kind       BadgeKind   `json:"kind"`
	Finding    FindingKind `json:"finding"`    // what it is about
	Text       string      `json:"text"`       // "Null pointer + 0x8"
	Evidence   []string    `json:"evidence"`   // sentences
	Confidence *float32    `json:"confidence"` // 0 to 1 where one was estimated
}
