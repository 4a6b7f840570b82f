package engine

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// Validation is the answer to validate. Each list is in document order.
type Validation struct {
	// Valid: no issue is an error and everything compiles.
	Valid         bool            `json:"valid"`
	Issues        []Issue         `json:"issues"`
	CompileErrors []*CompileError `json:"compile_errors"`
	Warnings      []*Warning      `json:"warnings"`
}

// Validate judges a model text in the engine's mode. Text that is no model at
// all is one issue with the load error's kind as its code.
func (e *Engine) Validate(text []byte) (v *Validation, err error) {
	defer e.contain(&err)
	doc, err := modelspec.Parse(text)
	if err == nil {
		return judge(doc, e.config.Basic), nil
	}
	var load *LoadError
	if !errors.As(err, &load) {
		return nil, e.coded(err)
	}
	v = noFindings()
	v.Issues = append(v.Issues, Issue{
		Severity: modelspec.SeverityError, Code: load.ErrorCode(), Message: load.Error(), Position: load.Position,
	})
	return v, nil
}

// ValidateFile judges a model file. The error is a *LoadError when the file
// holds no model.
func ValidateFile(path string, basic bool) (*Validation, error) {
	doc, err := modelspec.ParseFile(path)
	if err != nil {
		return nil, err
	}
	return judge(doc, basic), nil
}

// noFindings has lists that marshal as [], not null.
func noFindings() *Validation {
	return &Validation{Issues: []Issue{}, CompileErrors: []*CompileError{}, Warnings: []*Warning{}}
}

// judge validates and compiles. A model with structural errors is compiled too,
// so that one round of editing can mend everything; what a structural error
// already says of a place is not said again.
func judge(doc *modelspec.Document, basic bool) *Validation {
	v := noFindings()
	v.Issues = append(v.Issues, modelspec.Validate(doc, modelspec.Basic(basic))...)
	invalid := modelspec.Invalid(v.Issues)
	cat := compile.Compile(doc, compile.Options{Basic: basic, Advice: true})
	for _, c := range cat.Errors {
		if !saidAt(v.Issues, c.Location) {
			v.CompileErrors = append(v.CompileErrors, c)
		}
	}
	v.Warnings = append(v.Warnings, cat.Warnings...)
	v.Valid = !invalid && len(cat.Errors) == 0
	return v
}

// saidAt reports whether a structural error concerns a place or what it is part
// of.
func saidAt(issues []Issue, location string) bool {
	for _, i := range issues {
		if i.Severity == modelspec.SeverityError && strings.HasPrefix(location, i.Location) {
			return true
		}
	}
	return false
}
