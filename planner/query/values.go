package query

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ValuesQuery requests the stored values of a field.
type ValuesQuery struct {
	Field      string // as in group_by
	Like       string // a text that the values contain, ignoring case; "" for all values
	WhereSQL   string // a condition on the rows of the field's dataset
	Limit      int64
	Offset     int64
	Connection string
	Dialect    string
	View       string // whose names the request has; "" for the whole model
	Fresh      bool   // values that were read before are not used
}

// DefaultValuesLimit is the number of values of a page without a limit.
const DefaultValuesLimit = 20

var valuesQueryKeyReaders = []keyReader[ValuesQuery]{
	{bodyKey{"field", bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readName(&q.Field) }},
	{bodyKey{"like", bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readText(&q.Like) }},
	{bodyKey{"where_sql", bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readText(&q.WhereSQL) }},
	{bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *ValuesQuery) error {
		return readPositiveInteger(s, &q.Limit, limits.ValuesOfOneFieldPerRequest)
	}},
	{bodyKey{"offset", bodyKeyValueInteger, nil}, func(s *scanner, q *ValuesQuery) error { return s.readRowOffset(&q.Offset) }},
	{bodyKey{"connection", bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readName(&q.Connection) }},
	{bodyKey{"dialect", bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readName(&q.Dialect) }},
	{bodyKey{viewKey, bodyKeyValueText, nil}, func(s *scanner, q *ValuesQuery) error { return s.readName(&q.View) }},
	{bodyKey{"fresh", bodyKeyValueBoolean, nil}, func(s *scanner, q *ValuesQuery) error { return s.readBool(&q.Fresh) }},
}

// DecodeValues reads the body of a request for values; errors as of DecodeMetric.
func DecodeValues(body []byte) (*ValuesQuery, error) {
	return decodeAndCheckBody(body, valuesQueryKeyReaders, (*ValuesQuery).checkAndSetDefaults)
}

// ReadValuesURLParameters reads a request for values from the parameters of an address.
func ReadValuesURLParameters(parameter func(string) string) (*ValuesQuery, error) {
	q := &ValuesQuery{
		Field: parameter("field"), Like: parameter("like"), WhereSQL: parameter("where_sql"),
		Connection: parameter("connection"), Dialect: parameter("dialect"), View: parameter(viewKey),
	}
	var err error
	if q.Limit, err = readIntegerURLParameter("limit", parameter("limit"), 1, limits.ValuesOfOneFieldPerRequest); err != nil {
		return nil, err
	}
	if q.Offset, err = readIntegerURLParameter("offset", parameter("offset"), 0, 1<<53); err != nil {
		return nil, err
	}
	switch fresh := parameter("fresh"); fresh {
	case "", "false":
	case "true":
		q.Fresh = true
	default:
		return nil, badRequestError("fresh must be true or false, not " + strconv.Quote(planerr.ClipText(fresh)))
	}
	return q, q.checkAndSetDefaults()
}

// checkAndSetDefaults rejects a request without a field or with texts that no name and no value need, and fills in the default
// of limit.
func (q *ValuesQuery) checkAndSetDefaults() error {
	if q.Field == "" {
		return badRequestError("field is missing; it names a dimension, such as dataset.field")
	}
	for key, name := range map[string]string{"field": q.Field, "connection": q.Connection, "dialect": q.Dialect, viewKey: q.View} {
		if len(name) > limits.QueryNameBytes {
			return badRequestError(key + " is longer than " + strconv.Itoa(limits.QueryNameBytes) + " bytes")
		}
	}
	if utf8.RuneCountInString(q.Like) > limits.FieldValuesLikeRunes {
		return badRequestError("like may have at most " + strconv.Itoa(limits.FieldValuesLikeRunes) + " characters")
	}
	for key, text := range map[string]string{"field": q.Field, "like": q.Like, "where_sql": q.WhereSQL} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return badRequestError(key + " must be a text in UTF-8 without the character U+0000")
		}
	}
	if q.Limit == 0 {
		q.Limit = DefaultValuesLimit
	}
	return nil
}

// ApplyRetryFragment returns the query with top-level keys replaced; see MetricQuery.ApplyRetryFragment.
func (q ValuesQuery) ApplyRetryFragment(fragment map[string]any) (ValuesQuery, bool) {
	for key, value := range fragment {
		var ok bool
		switch key {
		case "field":
			ok = setFromFragment(&q.Field, value)
		case "where_sql":
			ok = setFromFragment(&q.WhereSQL, value)
		case viewKey:
			ok = setFromFragment(&q.View, value)
		}
		if !ok {
			return q, false
		}
	}
	return q, true
}
