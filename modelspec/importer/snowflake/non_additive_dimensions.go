package snowflake

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// nonAdditiveDimension is one of the non_additive_dimensions of a metric. Snowflake sorts the rows by them and
// aggregates the last ones.
type nonAdditiveDimension struct {
	table, dimension string
	direction        string // of the order, "" for ascending
}

func readNonAdditiveDimension(o *importer.ObjectReader, n *importer.Node) nonAdditiveDimension {
	if n.Kind == importer.KindScalar {
		return nonAdditiveDimension{dimension: n.Text}
	}
	d := o.ReadChild(n, "non_additive_dimensions")
	if d == nil {
		return nonAdditiveDimension{}
	}
	defer d.Close()
	d.IgnoreKeys("null_order") // rows without a time are not rows of the metric
	return nonAdditiveDimension{table: d.GetText("table"), dimension: d.GetText("dimension"), direction: strings.ToLower(d.GetText("sort_direction"))}
}

// addNonAdditiveBlock makes the non_additive block of a metric.
func (v *semanticViewImport) addNonAdditiveBlock(m *metric, e sqlexpr.Expr) error {
	switch call, isCall := e.(*sqlexpr.Call); {
	case len(m.snapshots) == 0:
		return nil
	case m.table == nil:
		return errors.New("non_additive_dimensions of a metric of the view have no counterpart")
	case len(m.snapshots) > 1:
		return errors.New("several non_additive_dimensions have no counterpart")
	case !isCall || sqlexpr.InfoOfFunction(call.Fn).Class != sqlexpr.ClassAggregate:
		return errors.New("non_additive_dimensions of a metric that is not a single aggregate have no counterpart")
	}
	d := m.snapshots[0]
	if d.table != "" && !strings.EqualFold(d.table, m.table.name) {
		return fmt.Errorf("its non_additive_dimensions name %s.%s, which is not of its table", d.table, d.dimension)
	}
	by := m.table.fields[strings.ToLower(d.dimension)]
	m.table.takeForTime(by)
	if by == nil || !isTimeField(by) {
		return fmt.Errorf("its non_additive_dimensions name %s, which is not a time dimension of its table", d.dimension)
	}
	take := "last"
	switch d.direction {
	case "", "asc", "ascending":
	case "desc", "descending":
		take = "first"
	default:
		return fmt.Errorf("the sort_direction %s of non_additive_dimensions is not known", d.direction)
	}
	m.draft.Extension.NonAdditive = &draft.NonAdditiveBlock{By: by.Name, Take: take}
	m.losses = append(m.losses, fmt.Sprintf("the rows of one %s value of %s count for all groups of a query, whose conditions do not move it, and rows without %s never count", take, by.Name, by.Name))
	return nil
}

// takeForTime makes a time field of a dimension by whose order a metric reads rows, if the input does not have its type.
func (t *logicalTable) takeForTime(f *draft.Field) {
	for _, e := range t.elements {
		if t.isUntyped && e.field == f && e.construct == "dimension" && !isTimeField(f) && e.entry != nil {
			f.Role = draft.FieldRoleTime
			e.entry.Outcome = importer.OutcomeApproximated
			e.entry.Reason = importer.JoinReasons(e.entry.Reason, "it is taken for a time, by whose order a metric reads rows: the statement does not have its type")
		}
	}
}

// isTimeField reports whether a field is a point in time.
func isTimeField(f *draft.Field) bool {
	return f.Role == draft.FieldRoleTime || f.Datatype.LogicalType().IsDateOrTimestamp()
}
