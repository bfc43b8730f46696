package report

// A Verdict is the answer in one sentence, with its grounds.
type Verdict struct {
	What    string  `json:"what"`    // "Null pointer read"
	Where   *string `json:"where"`   // "middle": function, or module + offset
	At      *string `json:"at"`      // "threads.cpp:12"
	Guess   bool    `json:"guess"`   // Where is probable only: its frame was scanned for, or one before it
	Detail  string  `json:"detail"`  // one or two sentences of mechanism with the values that prove it; may be ""
	Crashed bool    `json:"crashed"` // false for a dump written on request
	Badges  []Badge `json:"badges"`
}

// A Badge is one claim about the crash, with evidence.
type Badge struct {
	Kind       string   `json:"kind"`       // "cause" (at most one, first), "plain", "doubt"
	Text       string   `json:"text"`       // "Null pointer + 0x8"
	Evidence   []string `json:"evidence"`   // sentences
	Confidence *float32 `json:"confidence"` // 0 to 1 where one was estimated
}
