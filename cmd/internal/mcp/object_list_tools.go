package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// The compact forms of the elements of lists.
type (
	compactMetric struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Kind        string `json:"kind"`
	}
	compactDimension struct {
		Name     string   `json:"name"`
		Datatype string   `json:"datatype,omitempty"`
		Grains   []string `json:"grains,omitempty"`
	}
	compactDataset struct {
		Name        string `json:"name"`
		Fields      int    `json:"fields"`
		Description string `json:"description,omitempty"`
	}
)

// compactDescriptionLength is the length of a description in a compact list, in characters.
const compactDescriptionLength = 100

func (s *server) listDatasets(_ context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeObjectListQuery(arguments)
	if err != nil {
		return toolResult{}, err
	}
	all := s.service.Datasets()
	return objectListWriter[describe.Dataset]{
		name: func(d describe.Dataset) string { return d.Name },
		compact: func(d describe.Dataset) any {
			return compactDataset{d.Name, d.Fields, clipTextAtCharacters(d.Description, compactDescriptionLength)}
		},
	}.writePage(s, "dataset", q, all)
}

func (s *server) listMetrics(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeObjectListQuery(arguments)
	if err != nil {
		return toolResult{}, err
	}
	all, err := s.service.Metrics(ctx)
	if err != nil {
		return toolResult{}, err
	}
	return objectListWriter[describe.Metric]{
		name: func(m describe.Metric) string { return m.Name },
		compact: func(m describe.Metric) any {
			return compactMetric{m.Name, clipTextAtCharacters(m.Description, compactDescriptionLength), m.Kind}
		},
	}.writePage(s, "metric", q, all)
}

func (s *server) listDimensions(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeDimensionListQuery(arguments)
	if err != nil {
		return toolResult{}, err
	}
	all, err := s.service.Dimensions(ctx, q.Metric)
	if err != nil {
		return toolResult{}, err
	}
	return dimensionListWriter.writePage(s, "dimension", q, all)
}

var dimensionListWriter = objectListWriter[describe.Dimension]{
	name:    func(d describe.Dimension) string { return d.Name },
	compact: func(d describe.Dimension) any { return compactDimension{d.Name, d.Datatype, d.Grains} },
}

// objectListWriter writes lists of one kind of objects.
type objectListWriter[T any] struct {
	name    func(T) string
	compact func(T) any
}

// writePage writes the elements of the request: with all that is known of each if that is short or if the
// request needs it, else in short.
func (l objectListWriter[T]) writePage(s *server, kind string, q *query.ListQuery, all []T) (toolResult, error) {
	found := l.matchingElements(s, kind, q.Search, all)
	from := min(q.Offset, int64(len(found)))
	wanted := found[from:]
	if q.Limit > 0 {
		wanted = wanted[:min(q.Limit, int64(len(wanted)))]
	}
	budget := s.limits.list
	if q.Detail {
		budget = s.limits.bytes
	}
	text, n, err := marshalElementsWithinBudget(wanted, budget, func(x T) any { return x })
	if err != nil {
		return toolResult{}, err
	}
	short := n < len(wanted) && !q.Detail
	if short {
		if text, n, err = marshalElementsWithinBudget(wanted, budget-listNoteBytes, l.compact); err != nil {
			return toolResult{}, err
		}
	}
	return toolResult{json: text, note: listNote(kind, q, len(found), int(from)+n, short)}, nil
}

// matchingElements returns the elements that a text matches as in find, in their order; "" matches all. A name that no index
// has, as that of a long path, matches by a part of it.
func (l objectListWriter[T]) matchingElements(s *server, kind, text string, all []T) []T {
	if text == "" {
		return all
	}
	matches, lower := s.service.MatchingNames(kind, text), strings.ToLower(text)
	var out []T
	for _, x := range all {
		if name := l.name(x); matches[name] || strings.Contains(strings.ToLower(name), lower) {
			out = append(out, x)
		}
	}
	return out
}

// listNoteBytes is what a compact list leaves for its note.
const listNoteBytes = 300

// listNote describes what a list lacks and how to get it; "" where it is whole.
func listNote(kind string, q *query.ListQuery, total, next int, short bool) string {
	var parts []string
	if left := total - next; left > 0 {
		parts = append(parts, fmt.Sprintf("There are %d more of %d: continue with offset %d, or narrow the list with search.", left, total, next))
	}
	if short {
		parts = append(parts, "detail shows all properties of each.")
	}
	if total == 0 && q.Search != "" {
		parts = append(parts, fmt.Sprintf("No %s matches.", kind))
	}
	if len(parts) > 0 && (short || total == 0) {
		parts = append(parts, "find ranks names by the words of a question.")
	}
	return strings.Join(parts, " ")
}

// marshalElementsWithinBudget writes a list of the first elements that fit into a number of bytes, one at least, and returns how
// many they are.
func marshalElementsWithinBudget[T any](elements []T, budget int, form func(T) any) (text []byte, n int, err error) {
	text = []byte{'['}
	for _, x := range elements {
		one, err := engine.MarshalWireJSON(form(x))
		if err != nil {
			return nil, 0, err
		}
		if n > 0 && len(text)+len(one)+2 > budget {
			break
		}
		if n > 0 {
			text = append(text, ',')
		}
		text = append(text, one...)
		n++
	}
	return append(text, ']'), n, nil
}

// clipTextAtCharacters cuts a text at a number of characters.
func clipTextAtCharacters(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return strings.TrimSpace(text[:i]) + "…"
		}
		n++
	}
	return text
}
