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
