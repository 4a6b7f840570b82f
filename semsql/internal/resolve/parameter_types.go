package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
)

// ParameterTypes are the types of the parameters of a statement whose values are not known yet. A parameter
// has a value of its type while the statement is mapped; one without a type takes that of what it is beside.
type ParameterTypes struct {
	types     []sqltype.Type
	declared  []bool // the types that the client gives
	arrays    []bool // the type is that of the elements
	intervals []bool // the type, which no column of a result has, is interval
	learned   bool
	examples  map[sqlexpr.Expr]int // the values of parameters without a type or of texts, by their places in types
}

// NewParameterTypes returns the types of the parameters of a statement, of which some are declared.
func NewParameterTypes(root *parse.Query, declared []string) *ParameterTypes {
	highest, _ := highestParameter(root)
	n := max(highest, len(declared))
	out := &ParameterTypes{types: make([]sqltype.Type, n), declared: make([]bool, n), arrays: make([]bool, n), intervals: make([]bool, n), examples: map[sqlexpr.Expr]int{}}
	for i, name := range declared {
		if name == "" {
			continue
		}
		name, out.arrays[i] = strings.CutSuffix(name, "[]")
		out.types[i], out.intervals[i], out.declared[i] = sqltype.ByName(name), name == intervalTypeName, true
	}
	return out
}

// setArray makes a parameter that the client gives no type an array.
func (p *ParameterTypes) setArray(e *parse.Parameter) {
	if n := e.Number - 1; !p.declared[n] {
		p.arrays[n] = true
	}
}

// LearnedSinceLastCall reports whether mapping has found a type since the last call.
func (p *ParameterTypes) LearnedSinceLastCall() bool {
	learned := p.learned
	p.learned = false
	return learned
}

// TypeNames returns the types as PostgreSQL names them, with [] for arrays; one that is not known is text.
func (p *ParameterTypes) TypeNames() []string {
	out := make([]string, len(p.types))
	for i, t := range p.types {
		out[i] = t.String()
		if p.intervals[i] {
			out[i] = intervalTypeName
		}
		if p.arrays[i] {
			out[i] += "[]"
		}
	}
	return out
}

// exampleOfParameter returns a value of the type of a parameter.
func (p *ParameterTypes) exampleOfParameter(e *parse.Parameter) sqlexpr.Expr {
	at := sqlexpr.Position(e.Pos())
	if p.intervals[e.Number-1] {
		return exampleOfInterval(at)
	}
	if t := p.types[e.Number-1]; t != sqltype.Unknown && t != sqltype.Text {
		return exampleOfType(t, at)
	}
	out := &sqlexpr.String{Position: at}
	p.examples[out] = e.Number - 1
	return out
}

// learnType gives the type of what is beside it to a parameter that has none. It reports whether the text is the value of a parameter, which
// is read as that type.
func (p *ParameterTypes) learnType(text sqlexpr.Expr, t sqltype.Type) bool {
	if p == nil {
		return false
	}
	n, ok := p.examples[text]
	if ok && p.types[n] == sqltype.Unknown && t != sqltype.Unknown {
		p.types[n], p.learned = t, true
	}
	return ok
}

// intervalTypeName is the name of the type of intervals.
const intervalTypeName = "interval"

// learnInterval gives a parameter without a type that of intervals. It reports whether the text is the value of a parameter.
func (p *ParameterTypes) learnInterval(text sqlexpr.Expr) bool {
	if p == nil {
		return false
	}
	n, ok := p.examples[text]
	if ok && p.types[n] == sqltype.Unknown && !p.declared[n] {
		p.intervals[n], p.learned = true, true
	}
	return ok
}

func exampleOfInterval(at sqlexpr.Position) sqlexpr.Expr {
	return &sqlexpr.Interval{Position: at, Count: "1", Unit: "day"}
}

// exampleOfType returns a value of a type.
func exampleOfType(t sqltype.Type, at sqlexpr.Position) sqlexpr.Expr {
	switch t {
	case sqltype.Boolean:
		return &sqlexpr.Bool{Position: at, Value: true}
	case sqltype.Integer:
		return &sqlexpr.Number{Position: at, Text: "1"}
	case sqltype.Bigint:
		return &sqlexpr.Number{Position: at, Text: "4294967296"}
	case sqltype.Numeric:
		return &sqlexpr.Number{Position: at, Text: "1.5"}
	case sqltype.Double:
		return &sqlexpr.Number{Position: at, Text: "1e0"}
	case sqltype.Date:
		return &sqlexpr.TypedLiteral{Position: at, Type: t.Logical(), Value: "2000-01-01"}
	case sqltype.Time:
		return &sqlexpr.TypedLiteral{Position: at, Type: t.Logical(), Value: "00:00:00"}
	case sqltype.Timestamp:
		return &sqlexpr.TypedLiteral{Position: at, Type: t.Logical(), Value: "2000-01-01 00:00:00"}
	case sqltype.TimestampTZ:
		return &sqlexpr.TypedLiteral{Position: at, Type: t.Logical(), Value: "2000-01-01 00:00:00+00:00"}
	}
	return &sqlexpr.String{Position: at}
}

// WithLimitParameterType gives the type of a number of rows to a parameter without a type and returns a number for it;
// any other expression as it is.
func (s *Statement) WithLimitParameterType(e sqlexpr.Expr) sqlexpr.Expr {
	if s.Types.learnType(e, sqltype.Bigint) {
		return exampleOfType(sqltype.Integer, sqlexpr.Position(e.Pos()))
	}
	return e
}
