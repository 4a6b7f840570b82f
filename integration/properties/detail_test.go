package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// detail is the body of a detail query.
type detail struct {
	From      string                     `json:"from"`
	Fields    []string                   `json:"fields"`
	WhereSQL  string                     `json:"where_sql,omitempty"`
	TimeRange *query.TimeRange           `json:"time_range,omitempty"`
	OrderBy   []query.OrderBy            `json:"order_by,omitempty"`
	Limit     int                        `json:"limit,omitempty"`
	Offset    int                        `json:"offset,omitempty"`
	Params    map[string]json.RawMessage `json:"params,omitempty"`
	With      []query.LocalField         `json:"with,omitempty"`
	AsOf      string                     `json:"as_of,omitempty"`
	TimeZone  string                     `json:"time_zone,omitempty"`
	WeekStart string                     `json:"week_start,omitempty"`
}

func (q *detail) json() string { return jsonOf(q) }

// detailQuestion requests rows in every way that a query can.
func (r *maker) detailQuestion() *detail {
	root := pick(r, r.m.datasets)
	q := &detail{From: root.name}
	undo := r.localFields(&q.With, 10)
	defer undo()
	places := r.places([]*dataset{root})
	var outputs []string
	for range 1 + r.IntN(5) {
		p, ok := r.place(places)
		if !ok {
			continue
		}
		text, name := p.ref, p.name
		if r.chance(25) && strings.Count(text, ".") == 1 {
			text = p.field.name
		}
		if p.field.isTime() && r.chance(50) || r.chance(1) {
			grain := r.grain()
			text, name = text+":"+grain, name+"__"+grain
		}
		if slices.Contains(outputs, name) && r.chance(97) {
			continue
		}
		q.Fields, outputs = append(q.Fields, text), append(outputs, name)
		r.bindOne(q, p.field)
	}
	if r.chance(45) {
		q.WhereSQL = r.inputCondition(places)
	}
	if r.chance(30) {
		of := &question{}
		t := r.someRange(of)
		q.TimeRange, q.AsOf = &t, of.AsOf
		if p, ok := r.place(places); ok && p.field.isTime() {
			t.Dimension = p.ref
		}
	}
	for _, name := range some(r, outputs, r.IntN(3)) {
		q.OrderBy = append(q.OrderBy, query.OrderBy{Key: name, Desc: r.chance(50)})
	}
	if r.chance(40) {
		q.Limit = 1 + r.IntN(12)
	}
	if r.chance(20) {
		q.Offset = r.IntN(6)
	}
	q.TimeZone, q.WeekStart = r.clock()
	return q
}

// bindOne gives values to the parameters of a level-of-detail field.
func (r *maker) bindOne(q *detail, f *field) {
	for _, p := range f.params {
		if !r.chance(50) {
			continue
		}
		if q.Params == nil {
			q.Params = map[string]json.RawMessage{}
		}
		value := pick(r, p.values)
		if r.chance(4) {
			value = "[" + value + "]"
		}
		q.Params[p.name] = json.RawMessage(value)
	}
}

// detail asks a root for its key and for some of what it reaches.
func (r *maker) detail(root *dataset) detail {
	q := detail{From: root.name, Fields: []string{root.name + "_id"}, Limit: 10000}
	places := slices.DeleteFunc(r.places([]*dataset{root}), func(p place) bool { return !p.safe })
	taken := map[string]bool{root.name + "_id": true}
	for _, p := range some(r, places, r.IntN(6)) {
		text, name := p.ref, p.name
		if p.field.isTime() && r.chance(50) {
			grain := r.unit(grains)
			text, name = text+":"+grain, name+"__"+grain
		}
		if !taken[name] {
			taken[name] = true
			q.Fields = append(q.Fields, text)
		}
	}
	return q
}

// condition returns a condition over the fields that a root reaches.
func (r *maker) condition(root *dataset) string {
	places := slices.DeleteFunc(r.places([]*dataset{root}), func(p place) bool {
		return !p.safe || p.field.kind == code || p.field.encoded != ""
	})
	p := pick(r, places)
	out := r.test(p.field, p.ref)
	if r.chance(40) {
		p = pick(r, places)
		out = fmt.Sprintf("(%s) %s (%s)", out, pick(r, []string{"AND", "OR"}), r.test(p.field, p.ref))
	}
	return out
}

// keys returns the values of the root's key that a detail query returns, in order.
// ok is false for a query that the model does not let through: a dataset may be
// reached in two ways.
func (s *subject) keys(ctx context.Context, q detail) (keys []string, inner, ok bool, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, false, false, err
	}
	decoded, err := query.DecodeDetail(body)
	if err != nil {
		return nil, false, false, err
	}
	explained, err := prepare.Plan(ctx, s.engine, decoded)
	if err != nil {
		switch code := codeOf(err); code {
		case "ambiguous_join_path", "grain_too_fine", "ambiguous_dimension":
			return nil, false, false, nil
		default:
			return nil, false, false, fmt.Errorf("%s: %w", body, err)
		}
	}
	result, err := prepare.Rows(ctx, s.engine, decoded)
	if err != nil {
		return nil, false, false, fmt.Errorf("%s: %w", body, err)
	}
	t, err := table.FromJSON(result.Columns, result.Rows)
	if err != nil {
		return nil, false, false, err
	}
	for _, row := range t.Rows {
		keys = append(keys, row[0].Text)
	}
	return keys, strings.Contains(explained.Plan, "InnerJoin"), true, nil
}

func codeOf(err error) string {
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}

// TestLaws_DetailQueryHasOneRowForEachRootRow checks the grain: for any set of datasets that a query
// joins, each row of the root is there once, unless an inner relationship drops
// it; and a condition, its negation and its absence share the rows out.
func TestLaws_DetailQueryHasOneRowForEachRootRow(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	asked, refused := 0, 0
	for ; asked < queries/4; seed++ {
		r := newMaker(seed)
		m := r.model()
		s, err := open(t.Context(), m)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v", seed, err)
		}
		for _, root := range m.datasets {
			for range 6 {
				asked++
				ok, err := s.checkDetailRows(t.Context(), r, root)
				if err != nil {
					t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%v", seed, err)
				}
				if !ok {
					refused++
				}
			}
		}
		s.close()
	}
	t.Attr("comparisons", strconv.Itoa(asked-refused))
	t.Attr("broken", strconv.Itoa(asInt(t.Failed())))
	if refused*2 > asked {
		t.Errorf("most of the %d queries were refused", asked)
	}
}

func (s *subject) checkDetailRows(ctx context.Context, r *maker, root *dataset) (bool, error) {
	q := r.detail(root)
	all, inner, ok, err := s.keys(ctx, q)
	if err != nil || !ok {
		return ok, err
	}
	seen := map[string]bool{}
	for _, k := range all {
		if seen[k] {
			return true, fmt.Errorf("%+v: row %s is there twice", q, k)
		}
		seen[k] = true
	}
	if len(all) > len(root.rows) || !inner && len(all) != len(root.rows) {
		return true, fmt.Errorf("%+v: %d rows of %d", q, len(all), len(root.rows))
	}
	p := r.condition(root)
	parts := 0
	for _, where := range []string{p, "NOT (" + p + ")", "(" + p + ") IS NULL"} {
		part := q
		part.WhereSQL = where
		keys, innerToo, ok, err := s.keys(ctx, part)
		if err != nil || !ok {
			return ok, err
		}
		if innerToo != inner {
			return true, nil // the condition itself drops rows
		}
		for _, k := range keys {
			if !seen[k] {
				return true, fmt.Errorf("%+v: row %s comes with a condition only", part, k)
			}
		}
		parts += len(keys)
	}
	if !inner && parts != len(all) {
		return true, fmt.Errorf("%+v: %s, its negation and its absence have %d rows of %d", q, p, parts, len(all))
	}
	return true, nil
}
