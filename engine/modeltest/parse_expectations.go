package modeltest

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/document"
)

var expectationKindKeys = []string{"rows", "sql", "row_count", "error", "compiles"}

func (p *testFileParser) parseExpectation(n *document.Node) (Expectation, error) {
	e := Expectation{Tolerance: DefaultTolerance}
	if n == nil {
		return e, nil
	}
	keys, err := p.parseMapping(n, "expect", append(slices.Clone(expectationKindKeys), "columns", "by_position", "ordered", "tolerance", "columns_subset")...)
	if err != nil {
		return e, err
	}
	kind := ""
	for _, k := range expectationKindKeys {
		switch {
		case keys[k] == nil:
		case kind != "":
			return e, p.newError(n, "expect has both %s and %s", kind, k)
		default:
			kind = k
		}
	}
	for key, kinds := range map[string][]string{
		"columns": {"rows"}, "by_position": {"sql"}, "ordered": {"rows", "sql"}, "tolerance": {"rows", "sql"}, "columns_subset": {"rows", "sql"},
	} {
		if keys[key] != nil && !slices.Contains(kinds, kind) {
			return e, p.newError(keys[key], "%s belongs to an expectation of %v", key, kinds)
		}
	}
	if err := p.parseExpectationOptions(keys, &e); err != nil {
		return e, err
	}
	switch kind {
	case "rows":
		return e, p.parseRows(keys["rows"], keys["columns"], &e)
	case "sql":
		e.SQL, err = p.parseNonEmptyText(keys["sql"], "sql")
	case "error":
		e.Error, err = p.parseNonEmptyText(keys["error"], "error")
	case "row_count":
		e.Count, err = p.parseRowCountRange(keys["row_count"])
	case "compiles":
		if n := keys["compiles"]; n.Tag != "!!bool" || n.Value != "true" {
			return e, p.newError(n, "compiles must be true; expect the code of an error otherwise")
		}
	}
	return e, err
}

func (p *testFileParser) parseExpectationOptions(keys map[string]*document.Node, e *Expectation) error {
	for key, to := range map[string]*bool{"by_position": &e.ByPosition, "columns_subset": &e.ColumnsSubset} {
		if n := keys[key]; n != nil {
			if err := n.Decode(to); err != nil || n.Tag != "!!bool" {
				return p.newError(n, "%s must be true or false", key)
			}
		}
	}
	if n := keys["ordered"]; n != nil {
		e.Ordered = new(bool)
		if err := n.Decode(e.Ordered); err != nil || n.Tag != "!!bool" {
			return p.newError(n, "ordered must be true or false")
		}
	}
	if n := keys["tolerance"]; n != nil {
		if err := n.Decode(&e.Tolerance); err != nil || !(e.Tolerance >= 0 && e.Tolerance <= 1) { // a NaN is neither
			return p.newError(n, "tolerance must be a number from 0 to 1")
		}
	}
	return nil
}

func (p *testFileParser) parseNonEmptyText(n *document.Node, key string) (string, error) {
	if !n.IsText() || n.Value == "" {
		return "", p.newError(n, "%s must be a text", key)
	}
	return n.Value, nil
}

// parseRowCountRange reads n or {min, max}.
func (p *testFileParser) parseRowCountRange(n *document.Node) (*RowCountRange, error) {
	number := func(n *document.Node) (int64, error) {
		i, err := strconv.ParseInt(n.Value, 10, 64)
		if n.Kind != document.ScalarNode || err != nil || i < 0 {
			return 0, p.newError(n, "a number of rows must be a non-negative integer")
		}
		return i, nil
	}
	if n.Kind == document.ScalarNode {
		i, err := number(n)
		return &RowCountRange{i, i}, err
	}
	keys, err := p.parseMapping(n, "row_count", "min", "max")
	if err != nil {
		return nil, err
	}
	out := &RowCountRange{0, -1}
	if len(keys) == 0 {
		return nil, p.newError(n, "row_count needs min, max or both")
	}
	if keys["min"] != nil {
		if out.Min, err = number(keys["min"]); err != nil {
			return nil, err
		}
	}
	if keys["max"] != nil {
		if out.Max, err = number(keys["max"]); err == nil && out.Max < out.Min {
			err = p.newError(n, "max is below min, which no result can meet")
		}
	}
	return out, err
}

// parseRows reads objects, or lists together with columns.
func (p *testFileParser) parseRows(n, columns *document.Node, e *Expectation) error {
	if n.Kind != document.SequenceNode {
		return p.newError(n, "rows must be a list")
	}
	e.HasRows = true
	if columns != nil {
		if err := columns.Decode(&e.Columns); err != nil || columns.Kind != document.SequenceNode {
			return p.newError(columns, "columns must be a list of names")
		}
	}
	for i, row := range n.Content {
		values, err := p.parseRow(row, columns != nil, i == 0, e)
		if err != nil {
			return err
		}
		e.Rows = append(e.Rows, values)
	}
	return nil
}

func (p *testFileParser) parseRow(n *document.Node, listed, first bool, e *Expectation) ([]any, error) {
	if n.Kind == document.SequenceNode {
		if !listed || len(n.Content) != len(e.Columns) {
			return nil, p.newError(n, "a row that is a list has a value for each of columns")
		}
		out := make([]any, len(n.Content))
		for i, c := range n.Content {
			var err error
			if out[i], err = p.parseScalar(c); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	members, err := p.parseMapping(n, "a row")
	if err != nil {
		return nil, err
	}
	if first && !listed {
		for i := 0; i+1 < len(n.Content); i += 2 {
			e.Columns = append(e.Columns, n.Content[i].Value)
		}
	}
	if len(members) != len(e.Columns) {
		return nil, p.newError(n, "all rows have the same columns: %v", e.Columns)
	}
	out := make([]any, len(e.Columns))
	for i, c := range e.Columns {
		if members[c] == nil {
			return nil, p.newError(n, "a row lacks the column %q", c)
		}
		if out[i], err = p.parseScalar(members[c]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// hasOrderBy reports whether a body has order_by.
func hasOrderBy(body json.RawMessage) (has, ordered bool) {
	var b struct {
		OrderBy *json.RawMessage `json:"order_by"`
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(body, &b) != nil || json.Unmarshal(body, &keys) != nil {
		return false, false
	}
	_, has = keys["order_by"]
	return has, b.OrderBy != nil && string(*b.OrderBy) != "[]"
}
