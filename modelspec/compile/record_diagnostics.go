package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
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
