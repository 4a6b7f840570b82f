package ossie

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// projectionItem is one item of dimensions, measures or fields.
type projectionItem struct {
	expr   sqlexpr.Expr
	alias  string // "" without AS
	column string // of the result of the query that the translation makes
}

// parseProjectionItems reads the items of a list.
func parseProjectionItems(key string, texts []string) ([]projectionItem, error) {
	out := make([]projectionItem, len(texts))
	for i, text := range texts {
		place := key + "/" + strconv.Itoa(i)
		expression, alias := splitAlias(text)
		e, err := parseExpression(place, expression)
		if err != nil {
			return nil, err
		}
		out[i] = projectionItem{expr: e, alias: alias}
	}
	return out, nil
}

// splitAlias cuts AS alias off an item. The rest is the text itself where the end has another form; the parser of
// expressions judges it.
func splitAlias(text string) (expression, alias string) {
	tokens, err := parse.Tokenize(text)
	if n := len(tokens); err == nil && n > 2 && tokens[n-2].IsWord("as") && tokens[n-1].IsName() {
		return text[:tokens[n-2].Start], tokens[n-1].Text
	}
	return text, ""
}

// parseExpression reads one expression with the limits of a query.
func parseExpression(place, text string) (sqlexpr.Expr, error) {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		return nil, &Error{Code: CodeQueryInvalid, OwnCode: planerr.CodeBadRequest, Message: place + " is not an expression: " + planerr.ClipText(err.Error())}
	}
	return e, nil
}

// singlePartColumnName returns the name of a column of one part.
func singlePartColumnName(e sqlexpr.Expr) (string, bool) {
	c, ok := e.(*sqlexpr.Column)
	if !ok || len(c.Path) != 1 {
		return "", false
	}
	return c.Path[0].Text, true
}

// fieldOfDateTrunc returns the field and the grain of DATE_TRUNC(grain, field).
func fieldOfDateTrunc(e sqlexpr.Expr) (field *sqlexpr.Column, grain string, ok bool) {
	call, ok := e.(*sqlexpr.Call)
	if !ok || call.Fn != sqlexpr.FnDateTrunc || len(call.Args) != 2 {
		return nil, "", false
	}
	part, isText := call.Args[0].(*sqlexpr.String)
	field, isColumn := call.Args[1].(*sqlexpr.Column)
	if !isText || !isColumn {
		return nil, "", false
	}
	return field, part.Value, true
}

// resultColumnOfField returns the result column of a field that no alias renames.
func resultColumnOfField(cat *catalog.Catalog, c *sqlexpr.Column) string {
	last := c.Path[len(c.Path)-1].Text
	if len(c.Path) == 1 {
		if all := cat.FieldsNamed(last); len(all) > 0 {
			return all[0].Name
		}
		return last
	}
	if d := cat.Dataset(c.Path[0].Text); d != nil && len(c.Path) == 2 {
		if f := cat.FindDatasetField(d, last); f != nil {
			return f.Name
		}
		return last
	}
	parts := make([]string, len(c.Path))
	for i, n := range c.Path {
		parts[i] = n.Text
		if r := cat.Relationship(n.Text); r != nil && i < len(c.Path)-1 {
			parts[i] = r.Name
		}
	}
	return strings.Join(parts, "__")
}

// unusedName returns a name with a number that no metric of the model and no alias has.
func unusedName(cat *catalog.Catalog, stem string, n int, items ...[]projectionItem) string {
	for name := stem + "_" + strconv.Itoa(n); ; name += "_" {
		if cat.Metric(name) == nil && !hasAlias(name, items) {
			return name
		}
	}
}

func hasAlias(name string, items [][]projectionItem) bool {
	for _, list := range items {
		for _, p := range list {
			if strings.EqualFold(p.alias, name) {
				return true
			}
		}
	}
	return false
}
