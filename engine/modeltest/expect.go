package modeltest

import (
	"encoding/json"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

var expectKinds = []string{"rows", "sql", "row_count", "error", "compiles"}

func (p *parser) expect(n *yaml.Node) (Expect, error) {
	e := Expect{Tolerance: DefaultTolerance}
	if n == nil {
		return e, nil
	}
	keys, err := p.mapping(n, "expect", append(slices.Clone(expectKinds), "columns", "by_position", "ordered", "tolerance", "columns_subset")...)
	if err != nil {
		return e, err
	}
	kind := ""
	for _, k := range expectKinds {
		switch {
		case keys[k] == nil:
		case kind != "":
			return e, p.fail(n, "expect has both %s and %s", kind, k)
		default:
			kind = k
		}
	}
	for key, kinds := range map[string][]string{
		"columns": {"rows"}, "by_position": {"sql"}, "ordered": {"rows", "sql"}, "tolerance": {"rows", "sql"}, "columns_subset": {"rows", "sql"},
	} {
		if keys[key] != nil && !slices.Contains(kinds, kind) {
			return e, p.fail(keys[key], "%s belongs to an expectation of %v", key, kinds)
		}
	}
	if err := p.options(keys, &e); err != nil {
		return e, err
	}
	switch kind {
	case "rows":
		return e, p.rows(keys["rows"], keys["columns"], &e)
	case "sql":
		e.SQL, err = p.text(keys["sql"], "sql")
	case "error":
		e.Error, err = p.text(keys["error"], "error")
	case "row_count":
		e.Count, err = p.count(keys["row_count"])
	case "compiles":
		if n := keys["compiles"]; n.Tag != "!!bool" || n.Value != "true" {
			return e, p.fail(n, "compiles must be true; expect the code of an error otherwise")
		}
	}
	return e, err
}

func (p *parser) options(keys map[string]*yaml.Node, e *Expect) error {
	for key, to := range map[string]*bool{"by_position": &e.ByPosition, "columns_subset": &e.ColumnsSubset} {
		if n := keys[key]; n != nil {
			if err := n.Decode(to); err != nil || n.Tag != "!!bool" {
				return p.fail(n, "%s must be true or false", key)
			}
		}
	}
	if n := keys["ordered"]; n != nil {
		e.Ordered = new(bool)
		if err := n.Decode(e.Ordered); err != nil || n.Tag != "!!bool" {
			return p.fail(n, "ordered must be true or false")
		}
	}
	if n := keys["tolerance"]; n != nil {
		if err := n.Decode(&e.Tolerance); err != nil || !(e.Tolerance >= 0 && e.Tolerance <= 1) { // a NaN is neither
			return p.fail(n, "tolerance must be a number from 0 to 1")
		}
	}
	return nil
}

func (p *parser) text(n *yaml.Node, key string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		return "", p.fail(n, "%s must be a text", key)
	}
	return n.Value, nil
}

// count reads n or {min, max}.
func (p *parser) count(n *yaml.Node) (*Range, error) {
	number := func(n *yaml.Node) (int64, error) {
		i, err := strconv.ParseInt(n.Value, 10, 64)
		if n.Kind != yaml.ScalarNode || err != nil || i < 0 {
			return 0, p.fail(n, "a number of rows must be a non-negative integer")
		}
		return i, nil
	}
	if n.Kind == yaml.ScalarNode {
		i, err := number(n)
		return &Range{i, i}, err
	}
	keys, err := p.mapping(n, "row_count", "min", "max")
	if err != nil {
		return nil, err
	}
	out := &Range{0, -1}
	if len(keys) == 0 {
		return nil, p.fail(n, "row_count needs min, max or both")
	}
	if keys["min"] != nil {
		if out.Min, err = number(keys["min"]); err != nil {
			return nil, err
		}
	}
	if keys["max"] != nil {
		if out.Max, err = number(keys["max"]); err == nil && out.Max < out.Min {
			err = p.fail(n, "max is below min, which no result can meet")
		}
	}
	return out, err
}

// rows reads objects, or lists together with columns.
func (p *parser) rows(n, columns *yaml.Node, e *Expect) error {
	if n.Kind != yaml.SequenceNode {
		return p.fail(n, "rows must be a list")
	}
	e.HasRows = true
	if columns != nil {
		if err := columns.Decode(&e.Columns); err != nil || columns.Kind != yaml.SequenceNode {
			return p.fail(columns, "columns must be a list of names")
		}
	}
	for i, row := range n.Content {
		values, err := p.row(row, columns != nil, i == 0, e)
		if err != nil {
			return err
		}
		e.Rows = append(e.Rows, values)
	}
	return nil
}

func (p *parser) row(n *yaml.Node, listed, first bool, e *Expect) ([]any, error) {
	if n.Kind == yaml.SequenceNode {
		if !listed || len(n.Content) != len(e.Columns) {
			return nil, p.fail(n, "a row that is a list has a value for each of columns")
		}
		out := make([]any, len(n.Content))
		for i, c := range n.Content {
			var err error
			if out[i], err = p.scalar(c); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	members, err := p.mapping(n, "a row")
	if err != nil {
		return nil, err
	}
	if first && !listed {
		for i := 0; i+1 < len(n.Content); i += 2 {
			e.Columns = append(e.Columns, n.Content[i].Value)
		}
	}
	if len(members) != len(e.Columns) {
		return nil, p.fail(n, "all rows have the same columns: %v", e.Columns)
	}
	out := make([]any, len(e.Columns))
	for i, c := range e.Columns {
		if members[c] == nil {
			return nil, p.fail(n, "a row lacks the column %q", c)
		}
		if out[i], err = p.scalar(members[c]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// orderedBy reports whether a body has order_by.
func orderedBy(body json.RawMessage) (has, ordered bool) {
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
