package catalog

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Sequence makes the rows of a dataset of those of others: one for each start, with the rows that followed it. The columns of its
// fields have names, which stand in Columns.
type Sequence struct {
	Steps []SequenceStep
	// Count and Grain are the time from the start within which a step follows; GrainNone for any time.
	Count     int
	Grain     sqlexpr.Grain
	AnyOrder  bool // each step is sought from the start, not from the step before it
	FirstOnly bool // an entity has one start
	// Every and Periods are the calendar buckets from the start's own to the last one: a start has a row for each that is over, with the
	// rows of the second step in it. GrainNone: a start has one row.
	Every   sqlexpr.Grain
	Periods int
	Columns []SequenceColumn
	// Err is the error of a sequence that does not compile.
	Err *modelspec.CompileError
}

// SequenceStep is one step: the rows of Dataset that meet Where. The fields are of Dataset, or joined to it.
type SequenceStep struct {
	Name    string
	Dataset *Dataset
	Where   sqlexpr.Expr // over Ref{Field.ID}; nil for all rows
	At      *Field
	Entity  []*Field // as many as those of the first step, by position
	Same    []*Field
	Key     []*Field // the fields of the primary key of Dataset
	Rel     *Relationship
}

// SequenceColumnKind is what a column of a sequence holds.
type SequenceColumnKind uint8

// The kinds of columns.
const (
	SequenceColumnEntity  SequenceColumnKind = iota // Index of the entity
	SequenceColumnAt                                // the time of Step
	SequenceColumnKey                               // Index of the key of Step
	SequenceColumnSeconds                           // from the start to Step
	SequenceColumnReached                           // the number of steps that a row reached
	// Of a sequence with periods.
	SequenceColumnPeriod      // the number of buckets behind that of the start
	SequenceColumnPeriodStart // the first day of the bucket
	SequenceColumnActive      // whether a row of the second step followed in the bucket
	SequenceColumnEvents      // how many did
)

// RetentionGrains lists the calendar units that the periods of a sequence may have.
func RetentionGrains() []string {
	return slices.DeleteFunc(sqlexpr.GrainNames(), func(name string) bool {
		g, _ := sqlexpr.ParseGrain(name)
		return g.IsWithinDay()
	})
}

// HasPeriods reports whether a start has a row for each of several buckets.
func (s *Sequence) HasPeriods() bool { return s.Every != sqlexpr.GrainNone }

// SequenceColumn is a column of a sequence.
type SequenceColumn struct {
	Name  string
	Kind  SequenceColumnKind
	Step  int
	Index int
}

// Column returns the index of the column of a name, ignoring case; -1 where there is none.
func (s *Sequence) Column(name string) int {
	return slices.IndexFunc(s.Columns, func(c SequenceColumn) bool { return foldCase(c.Name) == foldCase(name) })
}

// ComparedType returns the type in which the times of the steps are compared: a Date is its midnight where another one is a DateTime.
func (s *Sequence) ComparedType() sqlexpr.Type {
	widest := sqlexpr.TypeDate
	for _, step := range s.Steps {
		widest = max(widest, step.At.Type)
	}
	return widest
}

// IsStepOf reports whether the relationship leads from a sequence to the row of one of its steps.
func (r *Relationship) IsStepOf(d *Dataset) bool {
	return d.Sequence != nil && slices.ContainsFunc(d.Sequence.Steps, func(s SequenceStep) bool { return s.Rel == r })
}

// ReadsSequence reports whether a field has values of a sequence on some dialect: of its rows, or aggregates over them.
func (c *Catalog) ReadsSequence(f *Field) bool {
	seen := map[*Field]bool{}
	var reads func(f *Field) bool
	readsExpr := func(e sqlexpr.Expr) bool {
		for r := range sqlexpr.Refs(e) {
			if reads(c.FieldByID(r.ID)) {
				return true
			}
		}
		return false
	}
	readsForm := func(form *ArithmeticOverOperands) bool {
		return form != nil && slices.ContainsFunc(form.Operands, func(o Operand) bool {
			m, ok := o.(*Measure)
			return ok && (m.Home.Sequence != nil || slices.ContainsFunc(m.ArgumentAndOrderKey(), readsExpr))
		})
	}
	reads = func(f *Field) bool {
		if seen[f] {
			return false
		}
		seen[f] = true
		if f.Dataset.Sequence != nil || f.Joined != nil && reads(f.Joined.Field) || readsExpr(f.Expr.Default) {
			return true
		}
		for _, e := range f.Expr.ByDialect {
			if readsExpr(e) {
				return true
			}
		}
		if f.LOD == nil {
			return false
		}
		for _, form := range f.LOD.Measures.ByDialect {
			if readsForm(form) {
				return true
			}
		}
		return readsForm(f.LOD.Measures.Default) || readsExpr(f.LOD.Where) || slices.ContainsFunc(f.LOD.Grain, reads)
	}
	return reads(f)
}
