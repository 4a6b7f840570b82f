package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
)

// sqlTypesByParamType are the types of the parameters of metrics.
var sqlTypesByParamType = map[catalog.ParamType]sqltype.Type{
	catalog.ParamInt: sqltype.Bigint, catalog.ParamFloat: sqltype.Double, catalog.ParamString: sqltype.Text, catalog.ParamBool: sqltype.Boolean,
	catalog.ParamDate: sqltype.Date,
}

// exampleValueOfUnknownParameter returns a value that a parameter of a metric takes, where the statement binds it to a parameter whose value is not known
// yet; that one gets the type of the metric's. It reports false for any other value.
func (s *Scope) exampleValueOfUnknownParameter(m *catalog.Metric, name string, bound parse.Expr, value sqlexpr.Expr) (query.ParamValue, bool) {
	if _, isParameter := bound.(*parse.Parameter); !isParameter || s.Types == nil {
		return query.ParamValue{}, false
	}
	params := s.Cat.ParamsOfMetric(m, s.Dialect)
	p := params[slices.IndexFunc(params, func(p *catalog.Param) bool { return p.Name == name })]
	s.Types.learnType(value, sqlTypesByParamType[p.Type])
	for _, example := range append(slices.Clone(p.Allowed), p.Default, p.Min, p.Max) {
		if example != nil {
			return ParamValueOfLiteral(example)
		}
	}
	if p.Type == catalog.ParamInt {
		return ParamValueOfLiteral(exampleOfType(sqltype.Integer, 0))
	}
	return ParamValueOfLiteral(exampleOfType(sqlTypesByParamType[p.Type], 0))
}
