package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// unnamedColumnName is the name that PostgreSQL gives a column without one.
const unnamedColumnName = "?column?"

// DefaultColumnName returns the name that PostgreSQL gives the column of an expression without an alias. That of
// a column or a measure depends on what it means.
func DefaultColumnName(e parse.Expr) string {
	if name, _ := defaultColumnName(e); name != "" {
		return name
	}
	return unnamedColumnName
}

// defaultColumnName also reports whether the name is of a value: a CASE or a CAST around it keeps such a name.
func defaultColumnName(e parse.Expr) (name string, ofValue bool) {
	switch e := e.(type) {
	case *parse.Column:
		return AliasColumnName(e.Path[len(e.Path)-1]), true
	case *parse.MeasureCall:
		return defaultColumnName(e.Metric)
	case *parse.Call:
		return strings.ToLower(e.Function.Text), true
	case *parse.Extract:
		return "extract", true
	case *parse.SessionValue:
		return e.Word, true
	case *parse.Case:
		if e.Else != nil {
			if name, ofValue = defaultColumnName(e.Else); ofValue {
				return name, true
			}
		}
		return "case", false
	case *parse.Cast:
		if name, ofValue = defaultColumnName(e.X); ofValue {
			return name, true
		}
		return internalTypeName(e.To), false
	case *parse.TimeLiteral:
		return internalTypeName(&parse.TypeName{Name: e.Type}), false
	case *parse.Interval:
		return "interval", false
	case *parse.Bool:
		return "bool", false
	case *parse.Exists:
		return "exists", true
	case *parse.ScalarSubquery:
		return subqueryColumnName(e.Query)
	}
	return "", false
}

// subqueryColumnName returns the name of the one column of a subquery.
func subqueryColumnName(q *parse.Query) (string, bool) {
	s, ok := q.Body.(*parse.Select)
	if !ok || len(s.Items) != 1 {
		return "", false
	}
	if s.Items[0].Alias.Text != "" {
		return AliasColumnName(s.Items[0].Alias), true
	}
	return defaultColumnName(s.Items[0].X)
}

// internalNameBySQLType are the internal names of types that differ from those of SQL.
var internalNameBySQLType = map[string]string{
	"integer": "int4", "int": "int4", "bigint": "int8", "smallint": "int2", "double precision": "float8", "real": "float4",
	"boolean": "bool", "decimal": "numeric", "character varying": "varchar", "character": "bpchar",
	"timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp", "time without time zone": "time",
}

func internalTypeName(t *parse.TypeName) string {
	if name, ok := internalNameBySQLType[t.Name]; ok {
		return name
	}
	return t.Name
}

// MatchesName reports whether a reference means a name that the statement declares: without quotes in
// any case, with quotes exactly. A name that was declared without quotes is in lower case.
func MatchesName(declared, reference parse.Name) bool {
	switch {
	case !reference.Quoted:
		return strings.EqualFold(declared.Text, reference.Text)
	case declared.Quoted:
		return declared.Text == reference.Text
	}
	return strings.ToLower(declared.Text) == reference.Text
}

// AliasColumnName returns the name of a column that an alias gives: in lower case without quotes.
func AliasColumnName(alias parse.Name) string {
	if alias.Quoted {
		return alias.Text
	}
	return strings.ToLower(alias.Text)
}

// pathText returns a reference as a message shows it.
func pathText(path []parse.Name) string {
	parts := make([]string, len(path))
	for i, n := range path {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}
