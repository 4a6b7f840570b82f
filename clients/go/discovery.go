package client

import (
	"bytes"
	"context"
	"net/url"
	"strconv"
	"strings"
)

// FindQuery is a question in plain words.
type FindQuery struct {
	Question string   // 1 to 500 characters
	Kinds    []string // metric, dimension, saved, value, dataset, view; nil for all
	Metrics  []string // only what one query with all of these metrics accepts
	View     string   // the view whose names the hits have; "" means the whole model
	Limit    int      // 10 unless given, 50 at most
	Offset   int
}

// FindResult is a page of the objects that a question names, the best first.
type FindResult struct {
	Query      string     `json:"query"`
	Hits       []FoundHit `json:"hits"`
	Total      int        `json:"total"`
	NextOffset *int       `json:"next_offset,omitempty"`
	Match      string     `json:"match,omitempty"` // near where nothing matched and the hits have the nearest names
}

// FoundHit is an object that a question names.
type FoundHit struct {
	Kind        string   `json:"kind"`
	Name        string   `json:"name"` // as a query takes it; of a value, that of its field
	Value       string   `json:"value,omitempty"`
	Score       float64  `json:"score"`
	Why         string   `json:"why"`
	Description string   `json:"description,omitempty"`
	Use         QueryUse `json:"use"`
}

// QueryUse is a part of a query that uses an object.
type QueryUse struct {
	Metrics []string  `json:"metrics,omitempty"`
	GroupBy []GroupBy `json:"group_by,omitempty"`
	Saved   string    `json:"saved,omitempty"`
	From    string    `json:"from,omitempty"`
	View    string    `json:"view,omitempty"`
	// WhereSQL is the condition that a field has a value.
	WhereSQL string `json:"where_sql,omitempty"`
}

// Find ranks the objects of the model that a question names.
func (c *Client) Find(ctx context.Context, q FindQuery) (*FindResult, error) {
	r := newGetRequest("/v1/find")
	r.query = url.Values{"q": {q.Question}}
	for name, list := range map[string][]string{"kinds": q.Kinds, "metrics": q.Metrics} {
		if len(list) > 0 {
			r.query.Set(name, strings.Join(list, ","))
		}
	}
	if q.View != "" {
		r.query.Set("view", q.View)
	}
	r.setNonZeroQueryParams(map[string]int{"limit": q.Limit, "offset": q.Offset})
	return sendAndDecodeJSON[*FindResult](ctx, c, r)
}

// ValuesQuery requests the stored values of a field.
type ValuesQuery struct {
	Field      string // as in GroupBy
	Like       string // only values that contain this text, ignoring case; the nearest where none does
	WhereSQL   string // a condition on the rows of the field's dataset
	Limit      int    // 20 unless given, 1000 at most
	Offset     int
	Connection string // "" means the embedded database
	Dialect    string // "" means that of the connection
	View       string // the view that names the field; "" means the whole model
	Fresh      bool   // read the values again, even if they were read within the last minute
}

// FieldValues are a page of the stored values of a field, the most frequent first.
type FieldValues struct {
	Field    string       `json:"field"`
	Values   []FieldValue `json:"values"`
	Complete bool         `json:"complete"` // Values has every value
	RowCount int          `json:"row_count"`
	// Min and Max are over all rows that WhereSQL admits; nil for texts and booleans, and with Like.
	Min any `json:"min,omitempty"`
	Max any `json:"max,omitempty"`
	// MinDate and MaxDate are the days that Min and Max mean where these are codes of time.
	MinDate string `json:"min_date,omitempty"`
	MaxDate string `json:"max_date,omitempty"`
	Match   string `json:"match,omitempty"` // near where no value contains Like and the values are the nearest
	Cached  bool   `json:"cached"`          // the values were read for another request
	Dialect string `json:"dialect"`
	SQL     string `json:"sql"`
}

// FieldValue is a value with the number of rows of the field's dataset that have it. A number is a json.Number.
type FieldValue struct {
	Value any `json:"value"`
	Count int `json:"count"`
}

// FieldValues lists the stored values of a field.
func (c *Client) FieldValues(ctx context.Context, q ValuesQuery) (*FieldValues, error) {
	r := newGetRequest("/v1/values")
	r.query = url.Values{"field": {q.Field}}
	for name, text := range map[string]string{"like": q.Like, "where_sql": q.WhereSQL, "connection": q.Connection, "dialect": q.Dialect, "view": q.View} {
		if text != "" {
			r.query.Set(name, text)
		}
	}
	r.setNonZeroQueryParams(map[string]int{"limit": q.Limit, "offset": q.Offset})
	if q.Fresh {
		r.query.Set("fresh", "true")
	}
	return sendAndDecodeJSON[*FieldValues](ctx, c, r)
}

// CompatibleQuery is a metric query, which may lack metrics, that requests the metrics and dimensions that it accepts.
// Its Limit and Offset are those of a page of each list.
type CompatibleQuery struct {
	MetricQuery
	Search string // only items that match it
}

// MarshalJSON writes the body of the request.
func (q CompatibleQuery) MarshalJSON() ([]byte, error) {
	text, err := q.MetricQuery.MarshalJSON()
	if err != nil || q.Search == "" {
		return text, err
	}
	b := bytes.NewBuffer(text[:len(text)-1])
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	if err := writeJSONMember(b, "search", q.Search); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// CompatibleItems is a page of what a query accepts as one more item, in the order of the model.
type CompatibleItems struct {
	Metrics    []string              `json:"metrics"`
	Dimensions []CompatibleDimension `json:"dimensions"`
	Counts     CompatibleCounts      `json:"counts"`
	NextOffset *int                  `json:"next_offset,omitempty"`
}

// CompatibleDimension is a dimension that a query accepts, with the grains and the parts of a time.
type CompatibleDimension struct {
	Name   string   `json:"name"`
	Grains []string `json:"grains,omitempty"`
	Parts  []string `json:"parts,omitempty"`
}

// CompatibleCounts are the lengths of the whole lists.
type CompatibleCounts struct {
	Metrics    int `json:"metrics"`
	Dimensions int `json:"dimensions"`
}

// CompatibleItems lists the metrics and the dimensions that a query accepts.
func (c *Client) CompatibleItems(ctx context.Context, q CompatibleQuery) (*CompatibleItems, error) {
	return postQuery[*CompatibleItems](ctx, c, "/v1/query/compatible", q)
}

// setNonZeroQueryParams sets the parameters that are not 0.
func (r apiRequest) setNonZeroQueryParams(numbers map[string]int) {
	for name, n := range numbers {
		if n != 0 {
			r.query.Set(name, strconv.Itoa(n))
		}
	}
}
