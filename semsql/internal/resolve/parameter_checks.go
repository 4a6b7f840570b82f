package resolve

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// CheckParameterCount rejects a number of values that is not the number of parameters.
func (s *Statement) CheckParameterCount() error {
	highest, at := highestParameter(s.Root)
	if s.Types != nil || highest == len(s.Params) {
		return nil
	}
	return sqlerror.New(sqlerror.CodeParameter, at, "the statement has "+strconv.Itoa(highest)+" parameters, and "+strconv.Itoa(len(s.Params))+" values were given")
}

// highestParameter returns the highest number of a parameter and where it is; 0 where there is none.
func highestParameter(root *parse.Query) (highest, at int) {
	parse.Walk(root, func(n parse.Node) bool {
		if p, ok := n.(*parse.Parameter); ok && p.Number > highest {
			highest, at = p.Number, p.Pos()
		}
		return true
	})
	return highest, at
}

// CheckParameterValueLengths rejects a value that is longer than a constant may be.
func (s *Statement) CheckParameterValueLengths() error {
	for i, v := range s.Params {
		if len(v.Text) > limits.SQLConstantBytes {
			return sqlerror.New(planerr.CodeBadRequest, 0, fmt.Sprintf("the value of $%d is longer than %d bytes", i+1, limits.SQLConstantBytes)).
				WithSQLState(sqlerror.SQLStateLimitExceeded)
		}
	}
	return nil
}

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
