package executor

// CaseSensitivityReporter is an executor whose warehouse may compare the texts of a column without regard to
// case, by the column's collation.
type CaseSensitivityReporter interface {
	// MayIgnoreCase reports whether columns do so unless they are declared otherwise.
	MayIgnoreCase() bool
}
