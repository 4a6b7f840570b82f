package datacheck

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// The codes of the findings about data.
const (
	CodeSourceNotFound        = "source_not_found"
	CodeColumnNotFound        = "column_not_found"
	CodeExpressionRejected    = "expression_rejected"
	CodeDatatypeMismatch      = "datatype_mismatch"
	CodeKeyNotUnique          = "key_not_unique"
	CodeKeyHasNull            = "key_has_null"
	CodeRelationshipUnmatched = "relationship_unmatched"
	CodeCardinalityWrong      = "cardinality_wrong"
	CodeOverlappingValidity   = "overlapping_validity"
	CodePeriodNotWhole        = "period_not_whole"
	CodeTimeFormatMismatch    = "time_format_mismatch"
	CodeAmbiguousDays         = "ambiguous_days"
	CodeGranularityMismatch   = "granularity_mismatch"
	CodeCheckIncomplete       = "check_incomplete"
)

// Codes returns the registry of the findings about data in the order of the documentation. They
// belong to the stage validate. The slice is the caller's own.
func Codes() []modelspec.CodeInfo {
	finding := func(code string, severity modelspec.Severity, when string, extras ...string) modelspec.CodeInfo {
		return modelspec.CodeInfo{Code: code, Stage: "validate", Severity: severity, When: when, Extras: extras, Since: "0.1.0"}
	}
	const candidates = "candidates"
	failure, warning := modelspec.SeverityError, modelspec.SeverityWarning
	return []modelspec.CodeInfo{
		finding(CodeSourceNotFound, failure, "the warehouse has no such table, or rejects the query of the source; candidates: the nearest tables", candidates),
		finding(CodeColumnNotFound, failure, "a field or a key reads a column that the source does not have; candidates: the nearest columns", candidates),
		finding(CodeExpressionRejected, failure, "the warehouse rejects the SQL of a field or of a metric, or the comparison of a relationship; the message has the warehouse's own words"),
		finding(CodeDatatypeMismatch, warning, "the datatype of a field is not the type of its values, a String field reads a column that is not text, or dates have the month 0; candidates: the type that was found", candidates),
		finding(CodeKeyNotUnique, failure, "several rows have the same value of a declared key"),
		finding(CodeKeyHasNull, warning, "a column of a declared key is null in some rows"),
		finding(CodeRelationshipUnmatched, warning, "values of from_columns have no row in the other dataset; an error where the join type is inner, which drops their rows"),
		finding(CodeCardinalityWrong, failure, "a relationship declares many_to_one or one_to_one, and several rows have the same value"),
		finding(CodeOverlappingValidity, warning, "a relationship with valid leads to several rows of one key that are valid at the same time"),
		finding(CodePeriodNotWhole, failure, "days of one bucket are in several periods of a calendar that declares to have whole buckets of that grain"),
		finding(CodeTimeFormatMismatch, failure, "a stored value does not fit the format of its time field; times that are stored as texts are not times, or have several forms"),
		finding(CodeAmbiguousDays, warning, "the day and the month of every value of a column of a data file can change places; the message has both readings of one value"),
		finding(CodeGranularityMismatch, warning, "a value is not the first day of a period of the declared time_granularity"),
		finding(CodeCheckIncomplete, warning, "a check read only the first rows, ran out of time, or was rejected; the message names the part that is not checked"),
	}
}

// IsDataFindingCode reports whether a code is that of a finding about data.
func IsDataFindingCode(code string) bool {
	return slices.ContainsFunc(Codes(), func(c modelspec.CodeInfo) bool { return c.Code == code })
}

// severityOfCode returns the severity that the registry gives a code.
func severityOfCode(code string) modelspec.Severity {
	for _, c := range Codes() {
		if c.Code == code {
			return c.Severity
		}
	}
	return modelspec.SeverityError
}
