// Package planerr is the error of the plan stage and the registry of its codes.
//
// Every rejection of a query is an *Error: a stable code, a message in plain
// words, and a suggestion of a query that works. The registry lists for
// each code when it is raised and which extras it carries; documentation and
// completeness tests are made from it.
package planerr

// Error marshals to the wire shape of the plan stage.
type Error struct {
	Code           string   `json:"code"`
	Message        string   `json:"message"`
	Metrics        []string `json:"metrics,omitempty"`
	Candidates     []string `json:"candidates,omitempty"`
	SuggestedRetry string   `json:"suggested_retry,omitempty"`
	Hint           string   `json:"hint,omitempty"`     // a change of the model that would help
	Location       string   `json:"location,omitempty"` // of the text in the query, as metrics/0/expression

	// Fragment is the retry as a patch of the query: top-level keys that
	// replace, nil values that remove. The planner plans the patched query
	// before it prints the fragment into ExtraSuggestedRetry, so that no retry is
	// offered that fails the same way.
	Fragment map[string]any `json:"-"`
	// Respelling is the reference that was probably meant, if the error is
	// about one. The caller that has the reference's place in the query makes a retry of it.
	Respelling string `json:"-"`
	// BareText is a word beside a field that Fragment puts into quotes, if the error is about one. The caller that has
	// the values of the fields withdraws the fragment where a name is as likely.
	BareText string `json:"-"`
	// UnknownName is the name of a metric or a field that the model does not have, if the error is about one. The
	// caller that can search the model ranks Candidates by it.
	UnknownName string `json:"-"`
	// View is the view whose names Candidates and Fragment have; "" for the whole model.
	View string `json:"-"`
	// ImpossibleConversion: the error is about a conversion that no value has, such as that of a number to a date.
	ImpossibleConversion bool `json:"-"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *Error) ErrorCode() string { return e.Code }

// UnsupportedFunctionError returns the error of a function that a dialect lacks, with the metrics that need it.
func UnsupportedFunctionError(dialect, function string, metrics ...string) *Error {
	return &Error{
		Code: CodeDialectUnsupportedFunction, Metrics: metrics,
		Message: "dialect " + dialect + " has no function " + function + ": the model may give the field or metric an expression for this dialect",
	}
}

// ClipText shortens what the caller wrote before a message repeats it, to 120
// characters and an ellipsis.
func ClipText(text string) string {
	const most = 120
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
