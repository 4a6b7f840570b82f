package diff

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// sequencePrinter writes a sequence, so that equal ones have equal texts.
func sequencePrinter(s *catalog.Sequence) func(*comparedModel) string {
	return func(m *comparedModel) string {
		if s == nil {
			return ""
		}
		names := func(fields []*catalog.Field) string {
			out := make([]string, len(fields))
			for i, f := range fields {
				out[i] = sqlexpr.Format(m.exprWithNamesBeforeRenames(&sqlexpr.Ref{ID: f.ID}))
			}
			return strings.Join(out, ", ")
		}
		var parts []string
		for _, step := range s.Steps {
			text := step.Name + ": " + names(step.Entity) + " at " + names([]*catalog.Field{step.At})
			if len(step.Same) > 0 {
				text += " same " + names(step.Same)
			}
			if step.Where != nil {
				text += " where " + sqlexpr.Format(m.exprWithNamesBeforeRenames(step.Where))
			}
			parts = append(parts, text)
		}
		if s.Grain != sqlexpr.GrainNone {
			parts = append(parts, "within "+strconv.Itoa(s.Count)+" "+s.Grain.String())
		}
		if s.AnyOrder {
			parts = append(parts, "any order")
		}
		if s.FirstOnly {
			parts = append(parts, "first start")
		}
		if s.HasPeriods() {
			parts = append(parts, "every "+s.Every.String()+" for "+strconv.Itoa(s.Periods))
		}
		return strings.Join(parts, "; ")
	}
}
