package engine

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine/internal/typehint"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
)

// columnDatatypes returns the logical types of the columns of a result: those of the plan where the JSON of the rows
// follows the plan, else as the warehouse reports them; "" for others.
func columnDatatypes(s *arrow.Schema, columns []planner.OutputColumn) []string {
	out := make([]string, s.NumFields())
	for i := range out {
		planned := sqlexpr.TypeUnknown
		if i < len(columns) {
			planned = columns[i].Type
		}
		out[i] = columnDatatype(s.Field(i), planned).String()
	}
	return out
}

func columnDatatype(f arrow.Field, planned sqlexpr.Type) modelspec.Datatype {
	switch planned {
	case sqlexpr.TypeBool:
		return modelspec.DatatypeBoolean
	case sqlexpr.TypeDate:
		return modelspec.DatatypeDate
	case sqlexpr.TypeTimestamp:
		return modelspec.DatatypeDateTime
	case sqlexpr.TypeTimestampTZ:
		return modelspec.DatatypeDateTimeTz
	}
	if d := typehint.DatatypeOfColumn(f); d != modelspec.DatatypeOpaque {
		return d
	}
	return ""
}
