package modelspec

// The codes of validation.
const (
	CodeUnsupportedVersion          = "unsupported_version"
	CodeDuplicateName               = "duplicate_name"
	CodeEmptyDatasets               = "empty_datasets"
	CodeEmptyColumns                = "empty_columns"
	CodeColumnCountMismatch         = "column_count_mismatch"
	CodeUnknownDataset              = "unknown_dataset"
	CodeUnknownColumn               = "unknown_column"
	CodeMissingSQLDialect           = "missing_sql_dialect"
	CodeSelfRelationship            = "self_relationship"
	CodeRelationshipTargetNotUnique = "relationship_target_not_unique"
	// CodeParse marks a text whose shape is not that of a model: a value of the
	// wrong type, a required key that is missing.
	CodeParse = "parse"
	// CodeUnknownModelKey marks a key that the format does not know.
	CodeUnknownModelKey = "unknown_model_key"
)

// CodeInfo describes one code of a stage that reads models.
type CodeInfo struct {
	Code     string
	Stage    string // validate or compile
	Severity Severity
	When     string
	Extras   []string // optional fields of the finding: candidates, hint
	Since    string   // the release that introduced the code
	// Retired is why a code is declared and not raised; "" while it is raised.
	Retired string
}

// IsAdvice reports whether a warning is for an author who validates a model, and nothing that a query or a server meets.
func IsAdvice(code string) bool { return code == CodeSelfRelationship }

// Codes returns the registry of the validate stage in the order of the
// documentation. The slice is the caller's own.
func Codes() []CodeInfo {
	issue := func(code string, severity Severity, when string) CodeInfo {
		return CodeInfo{Code: code, Stage: "validate", Severity: severity, When: when, Since: "0.1.0"}
	}
	return []CodeInfo{
		issue(CodeUnsupportedVersion, SeverityError, "the model's version is not the one that the engine implements"),
		issue(CodeDuplicateName, SeverityError, "two models, datasets, fields of a dataset, metrics or relationships have the same name; case does not count"),
		issue(CodeEmptyDatasets, SeverityError, "a semantic model has no datasets"),
		issue(CodeEmptyColumns, SeverityError, "a relationship declares no column pairs"),
		issue(CodeColumnCountMismatch, SeverityError, "from_columns and to_columns of a relationship differ in length"),
		issue(CodeUnknownDataset, SeverityError, "from or to of a relationship does not name a dataset"),
		issue(CodeUnknownColumn, SeverityError, "a column of a relationship is not a declared field of its dataset"),
		issue(CodeMissingSQLDialect, SeverityError, "an expression has no entry in ANSI_SQL or another SQL dialect; on a field it is a warning"),
		issue(CodeSelfRelationship, SeverityWarning, "a relationship joins a dataset to itself (validation only)"),
		issue(CodeRelationshipTargetNotUnique, SeverityWarning, "to_columns contain no key of the target and no cardinality is declared, so the join may fan out"),
		issue(CodeParse, SeverityError, "the text is not a model, or a part of it has the wrong type or is missing"),
		issue(CodeUnknownModelKey, SeverityWarning, "the model has a key that the format does not know; it is ignored"),
	}
}
