package engine

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

// Validation is the result of validate. Each list is in document order.
type Validation struct {
	// Valid: no issue is an error and everything compiles.
	Valid         bool                        `json:"valid"`
	Issues        []modelspec.Issue           `json:"issues"`
	CompileErrors []*modelspec.CompileError   `json:"compile_errors"`
	Warnings      []*modelspec.CompileWarning `json:"warnings"`
	// LoadError is why the text is not a model: the only issue has its code.
	LoadError *modelspec.LoadError `json:"-"`
	// DataChecked: the issues include what ValidateData found in the data.
	DataChecked bool `json:"-"`
}

// Validate checks the text of a model in the engine's mode. Text that is not a model
// results in one issue with the load error's kind as its code.
//
// Validate ends soon after ctx does, with a timeout. It takes a slot for validations,
// and returns a *BusyError while Config.MaxValidations others run.
func (e *Engine) Validate(ctx context.Context, text []byte) (v *Validation, err error) {
	defer e.recoverToError(&err)
	release, ok := e.warehouses.validationSlots.TryAcquire()
	if !ok {
		return nil, busyError(e.warehouses.validationSlots.Capacity(), "validation")
	}
	defer release()
	doc, err := modelspec.Parse(text)
	if err == nil {
		if v, err = validateDocument(ctx, doc, e.config.Basic); err != nil {
			return nil, e.toExecuteError(ctx, err)
		}
		return v, nil
	}
	var load *modelspec.LoadError
	if !errors.As(err, &load) {
		return nil, e.toCodedError(err)
	}
	return newUnreadableModelValidation(load), nil
}

// newUnreadableModelValidation returns the judgement of a text that is not a model.
func newUnreadableModelValidation(load *modelspec.LoadError) *Validation {
	text := *load
	text.File = ""
	v := newValidation()
	v.LoadError = load
	v.Issues = append(v.Issues, modelspec.Issue{
		Severity: modelspec.SeverityError, Code: load.ErrorCode(), Message: text.Error(), Hint: load.Hint, Position: load.Position,
		Excerpt: LineExcerpt(strings.ReplaceAll(load.Line, "\t", " "), load.Position, utf8.RuneCountInString),
	})
	return v
}

// ValidateFile checks a model file. A text that is not a model results in one issue, as in Validate. The error is a
// *modelspec.LoadError when the file cannot be read, and that of ctx when that has ended.
func ValidateFile(ctx context.Context, path string, basic bool) (*Validation, error) {
	doc, err := modelspec.ParseFile(path)
	if v := validationOfLoadError(err); v != nil {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	return validateDocument(ctx, doc, basic)
}

// validationOfLoadError returns the judgement of a text that is not a model, nil for any other error.
func validationOfLoadError(err error) *Validation {
	var load *modelspec.LoadError
	if !errors.As(err, &load) || load.Kind == modelspec.LoadErrorUnreadable {
		return nil
	}
	return newUnreadableModelValidation(load)
}

// newValidation returns a result whose lists marshal as [], not null.
func newValidation() *Validation {
	return &Validation{Issues: []modelspec.Issue{}, CompileErrors: []*modelspec.CompileError{}, Warnings: []*modelspec.CompileWarning{}}
}

// validateDocument validates and compiles. A model with structural errors is compiled too,
// so that one round of editing can fix everything; a compile error is left out if a
// structural error already concerns its location.
func validateDocument(ctx context.Context, doc *modelspec.Document, basic bool) (*Validation, error) {
	issues, err := modelspec.Validate(ctx, doc, modelspec.WithBasicMode(basic))
	if err != nil {
		return nil, err
	}
	v := newValidation()
	v.Issues = append(v.Issues, issues...)
	invalid := modelspec.HasErrors(v.Issues)
	cat, err := compile.Compile(ctx, doc, compile.Options{Basic: basic, Advice: true})
	if err != nil {
		return nil, err
	}
	failed, err := compileErrorsOfCatalog(ctx, cat, planner.New(cat), compileTargetsByDialect()[embeddedDialect].planner)
	if err != nil {
		return nil, err
	}
	said := newErrorLocationSet(v.Issues)
	for _, c := range failed {
		if !said.coversLocation(c.Location) {
			v.CompileErrors = append(v.CompileErrors, c)
		}
	}
	v.Warnings = append(v.Warnings, cat.Warnings...)
	v.Valid = !invalid && len(failed) == 0
	return v, nil
}

// errorLocationSet holds the locations of structural errors.
type errorLocationSet map[string]bool

func newErrorLocationSet(issues []modelspec.Issue) errorLocationSet {
	out := errorLocationSet{}
	for _, i := range issues {
		if i.Severity == modelspec.SeverityError {
			out[i.Location] = true
		}
	}
	return out
}

// coversLocation reports whether a structural error concerns a place or what it is part of:
// metrics[1] covers metrics[1].expression, and not metrics[10].
func (p errorLocationSet) coversLocation(location string) bool {
	if p[location] || p[""] {
		return true
	}
	for i, c := range location {
		if (c == '.' || c == '[') && p[location[:i]] {
			return true
		}
	}
	return false
}
