package access

import "github.com/semlayer/semlayer/modelspec"

// The codes of findings about a policies file that Parse reports.
const (
	CodeInvalidPolicy    = "invalid_policy"
	CodeUnknownAttribute = "unknown_attribute"
)

// CodeForbidden is the code of an identity that may see nothing.
const CodeForbidden = "forbidden"

// Codes returns the codes of Parse in the order of the documentation. The slice is the caller's own.
func Codes() []modelspec.CodeInfo {
	finding := func(code, when string, extras ...string) modelspec.CodeInfo {
		return modelspec.CodeInfo{Code: code, Stage: "policies", Severity: modelspec.SeverityError, When: when, Extras: extras, Since: "0.1.0"}
	}
	return []modelspec.CodeInfo{
		finding(CodeInvalidPolicy, "the policies file has a key, a value or a type that the format does not allow", "hint"),
		finding(CodeUnknownAttribute, "the policies file names an attribute that it does not declare", "candidates"),
	}
}
