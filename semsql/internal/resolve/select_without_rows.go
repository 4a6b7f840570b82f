package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// SetWithoutRows makes a star over the wide relation stand for its columns, of which a select without rows shows the types.
func (s *Scope) SetWithoutRows() {
	s.withoutRows = true
	for _, source := range s.Sources {
		if source.merged != nil {
			source.merged.scope.SetWithoutRows()
		}
	}
}

// castNameByType are the types that NULL is cast to, where they have another name than the type.
var castNameByType = map[sqltype.Type]string{sqltype.Unknown: "varchar", sqltype.Text: "varchar"}

// NullOfType returns NULL of a type of columns.
func NullOfType(t sqltype.Type) sqlexpr.Expr {
	name, ok := castNameByType[t]
	if !ok {
		name = t.String()
	}
	cast, err := sqlexpr.NewCast(0, &sqlexpr.Null{}, name)
	if err != nil {
		return &sqlexpr.Null{}
	}
	return cast
}
