package catalog

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// DialectVariants holds a compiled expression per SQL dialect. Models may write an
// expression once for all dialects and again for single ones; most never do,
// so the common case is a default and an empty map.
type DialectVariants[T any] struct {
	Default   T
	ByDialect map[string]T // by canonical lower-case dialect name
}

// ForDialect returns the variant for a target dialect (lower case), else the default.
func (v DialectVariants[T]) ForDialect(dialect string) T {
	if len(v.ByDialect) > 0 {
		if x, ok := v.ByDialect[dialect]; ok {
			return x
		}
	}
	return v.Default
}

// ErrorForDialect returns the reason why the field cannot be used on a dialect: its own error, or the
// one of the expression that the model writes for that dialect. It is nil when
// the field can be used.
func (f *Field) ErrorForDialect(dialect string) *modelspec.CompileError {
	if f.Err != nil {
		return f.Err
	}
	return f.ErrByDialect[dialect]
}

// ErrorForDialect returns the reason why the metric cannot be used on a dialect; see Field.ErrorForDialect. It
// does not look at the fields that the metric aggregates.
func (m *Metric) ErrorForDialect(dialect string) *modelspec.CompileError {
	if m.Err != nil {
		return m.Err
	}
	return m.ErrByDialect[dialect]
}

// IsVolatile reports whether the value of a field can differ between two statements over equal rows, on any dialect.
func (f *Field) IsVolatile() bool {
	if sqlexpr.IsVolatile(f.Expr.Default) {
		return true
	}
	for _, e := range f.Expr.ByDialect {
		if sqlexpr.IsVolatile(e) {
			return true
		}
	}
	return false
}
