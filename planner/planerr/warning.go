package planerr

// The codes of warnings about a query.
const (
	CodeLimitClamped          = "limit_clamped"
	CodeWindowAddsNonAdditive = "window_adds_non_additive"
)

// QueryWarning is what a caller should know of a query that is answered all the same. It
// marshals to the wire shape.
type QueryWarning struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Columns []string `json:"columns,omitempty"` // of the result, where it is about some
}

// Warnings returns the registry of the warnings about queries, as Codes does for errors.
func Warnings() []Info {
	return []Info{
		{Code: CodeLimitClamped, When: "a detail query asks for more rows than it may have; limit is the number that applied", Since: first},
		{Code: CodeWindowAddsNonAdditive, When: "a window takes the sum or the mean of bucket values that do not add up; columns: those of such windows", Since: first},
	}
}
