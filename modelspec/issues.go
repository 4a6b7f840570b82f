package modelspec

// Position is a place in the model text; line and column count from 1.
type Position struct {
	Line   int
	Column int
}

// Severity of a validation issue.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Issue is one finding of validation. It marshals to the wire shape of the
// validate stage.
type Issue struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Location string   `json:"location"`
	Message  string   `json:"message"`
	// Candidates are the names that may have been meant, nearest first.
	Candidates []string `json:"candidates,omitempty"`
	Hint       string   `json:"hint,omitempty"` // what would help
	// Excerpt is the line of a text that is not a model, with a caret below the column.
	Excerpt string `json:"excerpt,omitempty"`
	// Where in the text, for people at a terminal; zero when unknown.
	Position Position `json:"-"`
}

// CompileError is one failure to lower the model. It marshals to the wire
// shape of the compile stage.
type CompileError struct {
	Code       string   `json:"code"`
	Location   string   `json:"location"`
	Message    string   `json:"message"`
	Candidates []string `json:"candidates,omitempty"`
	Hint       string   `json:"hint,omitempty"`
	Position   Position `json:"-"`
	// ImpossibleConversion: the error is about a conversion that no value has, such as that of a number to a date.
	ImpossibleConversion bool `json:"-"`
}

// Error returns the message with its code and place.
func (e *CompileError) Error() string { return e.Code + " at " + e.Location + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *CompileError) ErrorCode() string { return e.Code }

// CompileWarning is a non-fatal finding of the compile stage.
type CompileWarning struct {
	Code     string   `json:"code"`
	Location string   `json:"location"`
	Message  string   `json:"message"`
	Position Position `json:"-"`
}
