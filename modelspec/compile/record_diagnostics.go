package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// addErrorOnce lists an error. One that is listed already stays listed once: several
// objects may fail for one cause.
func (c *compiler) addErrorOnce(e *modelspec.CompileError) {
	if c.listed == nil {
		c.listed = map[*modelspec.CompileError]bool{}
	}
	if !c.listed[e] {
		c.listed[e] = true
		c.errors = append(c.errors, e)
	}
}

// addAndReturnError lists an error and returns it.
func (c *compiler) addAndReturnError(e *modelspec.CompileError) *modelspec.CompileError {
	c.addErrorOnce(e)
	return e
}

func (c *compiler) addWarning(code, location string, p modelspec.Position, format string, args ...any) {
	c.warnings = append(c.warnings, &modelspec.CompileWarning{Code: code, Location: location, Position: p, Message: fmt.Sprintf(format, args...)})
}

// addPayloadDiagnostics lists what reading a payload found.
func (c *compiler) addPayloadDiagnostics(d extension.Diagnostics) {
	for _, e := range d.Errors {
		c.addErrorOnce(e)
	}
	c.warnings = append(c.warnings, d.Warnings...)
}

// addDiagnosticsAndReturnFirstError lists what reading a payload found and returns its first error.
func (c *compiler) addDiagnosticsAndReturnFirstError(d extension.Diagnostics) *modelspec.CompileError {
	c.addPayloadDiagnostics(d)
	return d.FirstError()
}

// storeSortedDiagnostics hands the findings over in document order.
func (c *compiler) storeSortedDiagnostics() {
	slices.SortStableFunc(c.errors, func(a, b *modelspec.CompileError) int { return a.Position.Compare(b.Position) })
	slices.SortStableFunc(c.warnings, func(a, b *modelspec.CompileWarning) int { return a.Position.Compare(b.Position) })
	c.cat.Errors, c.cat.Warnings = c.errors, c.warnings
}

// discardPartialResults removes the partial results of objects that failed, so that no
// query computes with them.
func (c *compiler) discardPartialResults() {
	for f := range cancel.EachUntilDone(c.ctx, c.cat.Fields) {
		if f.Err != nil {
			f.Expr, f.LOD, f.Encoding = catalog.DialectVariants[sqlexpr.Expr]{}, nil, nil
		}
	}
	for m := range cancel.EachUntilDone(c.ctx, c.cat.Metrics) {
		if m.Err != nil {
			m.Forms, m.Derive, m.Window, m.Datasets = catalog.DialectVariants[*catalog.ArithmeticOverOperands]{}, nil, nil, nil
		}
	}
}

// referenceError is an error about a name in a payload.
type referenceError struct{ *modelspec.CompileError }

func invalidReferenceError(ref extension.ObjectRef, key, format string, args ...any) referenceError {
	return referenceError{invalidPayloadError(ref.Place, key, format, args...)}
}

// invalidPayloadError returns an error about a part of a payload.
func invalidPayloadError(place modelspec.Place, key, format string, args ...any) *modelspec.CompileError {
	return &modelspec.CompileError{
		Code: extension.CodeInvalidPayload, Location: place.Location, Position: place.Position,
		Message: fmt.Sprintf(format, args...), Hint: "see " + extension.DocumentationAnchor(key),
	}
}

// errorWithCandidates adds the names that would have been right.
func (r referenceError) errorWithCandidates(c *compiler, name string, names func() []string) *modelspec.CompileError {
	r.Candidates = c.nearestCandidates(name, names)
	return r.CompileError
}

// candidateRankingBudget bounds the work for candidates: in a model full of wrong names it
// would grow as their number squared.
const candidateRankingBudget = 20_000_000

// nearestCandidates ranks candidates, until the budget is spent.
func (c *compiler) nearestCandidates(name string, names func() []string) []string {
	return c.ranking.Nearest(name, names, suggest.MaxCandidates)
}
