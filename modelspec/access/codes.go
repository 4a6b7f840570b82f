package access

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// The codes of findings about a policies file that Parse reports.
const (
	CodeInvalidPolicy    = "invalid_policy"
	CodeUnknownAttribute = "unknown_attribute"
)

// codeUnknownMetric is the code of a metric that the policies name and the model lacks.
const codeUnknownMetric = "unknown_metric"

// CodeForbidden is the code of an identity that may see nothing.
const CodeForbidden = "forbidden"

// Codes returns the codes of the findings about a policies file, of Parse and of a model that it is judged against, in the order of the
// documentation. The slice is the caller's own.
func Codes() []modelspec.CodeInfo {
	finding := func(severity modelspec.Severity, code, when string, extras ...string) modelspec.CodeInfo {
		return modelspec.CodeInfo{Code: code, Stage: StagePolicies, Severity: severity, When: when, Extras: extras, Since: "0.1.0"}
	}
	failure, warning := modelspec.SeverityError, modelspec.SeverityWarning
	return []modelspec.CodeInfo{
		finding(failure, CodeInvalidPolicy, "the policies file has a key, a value, a type or an expression that the format does not allow", "hint"),
		finding(failure, CodeUnknownAttribute, "the policies file names an attribute that it does not declare", "candidates"),
		finding(failure, compile.CodeUnknownDataset, "the policies file names a dataset that the model does not have", "candidates"),
		finding(failure, compile.CodeUnknownField, "the policies file names a field that the dataset does not have", "candidates"),
		finding(failure, codeUnknownMetric, "the policies file names a metric that the model does not have", "candidates"),
		finding(failure, compile.CodeUnparseable, "a rule or a mask is not an expression of the language"),
		finding(failure, compile.CodeNoJoinPath, "a rule reads a dataset that no many-to-one relationships lead to"),
		finding(failure, compile.CodeAmbiguousJoinPath, "a rule reads a dataset that several paths lead to", "candidates"),
		finding(warning, CodeAttributeUnused, "no rule and no mask reads a declared attribute"),
		finding(warning, CodeTextNamesHidden, "a description that a role sees has the name of an object that it does not see"),
		finding(warning, CodeRoleSeesNothing, "a role sees no metric and no field"),
	}
}

// StagePolicies is the stage of the findings about a policies file.
const StagePolicies = "policies"
