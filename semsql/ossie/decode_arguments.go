package ossie

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/planerr"
)

// DecodeArguments reads the arguments of a call. The error is an *Error. The arguments hold data_source_id as far
// as it was read, also with an error.
func DecodeArguments(body []byte) (*Arguments, error) {
	out := &Arguments{}
	if !utf8.Valid(body) {
		return out, newInvalidArgumentError("the arguments are not UTF-8")
	}
	members, err := readObject("the arguments", body, "data_source_id", "query")
	if err != nil {
		return out, err
	}
	text, given := members["data_source_id"]
	if given {
		if err := readText("data_source_id", text, &out.DataSourceID); err != nil {
			return out, err
		}
	}
	query, asked := members["query"]
	switch {
	case !given:
		return out, newInvalidArgumentError("data_source_id is missing")
	case !asked:
		return out, newInvalidArgumentError("query is missing")
	}
	q, err := decodeQuery(query)
	if err != nil {
		return out, err
	}
	out.Query = *q
	return out, nil
}

func decodeQuery(body json.RawMessage) (*Query, error) {
	clauses, err := readObject("query", body, "dimensions", "measures", "fields", "where", "having", "order_by", "limit")
	if err != nil {
		return nil, err
	}
	q := &Query{}
	for _, list := range []struct {
		key  string
		into *[]string
	}{{"dimensions", &q.Dimensions}, {"measures", &q.Measures}, {"fields", &q.Fields}} {
		if text, ok := clauses[list.key]; ok {
			if err := readExpressionTexts(list.key, text, list.into); err != nil {
				return nil, err
			}
		}
	}
	if err := checkQueryShape(q); err != nil {
		return nil, err
	}
	if err := readConditionTexts("where", clauses, &q.Where); err != nil {
		return nil, err
	}
	if err := readConditionTexts("having", clauses, &q.Having); err != nil {
		return nil, err
	}
	if q.isScalar() && q.Having != nil {
		return nil, newInvalidArgumentError("a query of fields takes no having; write the condition into where")
	}
	if err := readOrder(clauses, &q.OrderBy); err != nil {
		return nil, err
	}
	return q, readLimit(clauses, &q.Limit)
}

// checkQueryShape rejects a query that is neither an aggregation nor scalar.
func checkQueryShape(q *Query) error {
	switch {
	case q.Fields != nil && (q.Dimensions != nil || q.Measures != nil):
		return &Error{Code: CodeMixedQueryShape, Message: "fields cannot be combined with dimensions or measures; send two queries"}
	case q.Fields != nil && len(q.Fields) == 0:
		return &Error{Code: CodeEmptyScalarQuery, Message: "fields is empty; name at least one field"}
	case q.Fields == nil && len(q.Dimensions) == 0 && len(q.Measures) == 0:
		return &Error{Code: CodeEmptyAggregationQuery, Message: "the query has no dimensions and no measures; name at least one"}
	}
	return nil
}

// readConditionTexts reads a text, or a list of at least one.
func readConditionTexts(key string, clauses map[string]json.RawMessage, into *[]string) error {
	text, ok := clauses[key]
	if !ok {
		return nil
	}
	if bytes.HasPrefix(text, []byte(`"`)) {
		*into = make([]string, 1)
		return readExpressionText(key, text, &(*into)[0])
	}
	if err := readExpressionTexts(key, text, into); err != nil {
		return err
	}
	if len(*into) == 0 {
		return newInvalidArgumentError(key + " is an empty list; leave it out")
	}
	return nil
}

func readOrder(clauses map[string]json.RawMessage, into *[]OrderKey) error {
	text, ok := clauses["order_by"]
	if !ok {
		return nil
	}
	items, err := readList("order_by", text)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return newInvalidArgumentError("order_by is an empty list; leave it out")
	}
	for i, item := range items {
		key := "order_by/" + strconv.Itoa(i)
		members, err := readObject(key, item, "field", "direction", "nulls")
		if err != nil {
			return err
		}
		if members["field"] == nil {
			return newInvalidArgumentError(key + " has no field")
		}
		var o OrderKey
		if err := readExpressionText(key+"/field", members["field"], &o.Field); err != nil {
			return err
		}
		if err := readChoice(key+"/direction", members["direction"], &o.Direction, ascending, descending); err != nil {
			return err
		}
		if err := readChoice(key+"/nulls", members["nulls"], &o.Nulls, nullsFirst, nullsLast); err != nil {
			return err
		}
		*into = append(*into, o)
	}
	return nil
}

func readLimit(clauses map[string]json.RawMessage, into **int64) error {
	text, ok := clauses["limit"]
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 {
		return newInvalidArgumentError("limit must be a non-negative integer")
	}
	*into = &n
	return nil
}

// readObject reads an object whose keys are known; each at most once.
func readObject(what string, body json.RawMessage, keys ...string) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, newInvalidArgumentError(what + " must be an object")
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, newInvalidArgumentError(what + " is not JSON: " + err.Error())
		}
		key, _ := token.(string)
		if !containsKey(keys, key) {
			return nil, &Error{
				Code: CodeInvalidArgument, OwnCode: planerr.CodeUnknownQueryKey,
				Message: what + " has the unknown key " + planerr.ClipText(key), Candidates: keys,
			}
		}
		if out[key] != nil {
			return nil, newInvalidArgumentError(what + " has the key " + key + " twice")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, newInvalidArgumentError(what + " is not JSON: " + err.Error())
		}
		out[key] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, newInvalidArgumentError(what + " is not JSON: " + err.Error())
	}
	if d.More() {
		return nil, newInvalidArgumentError("text follows " + what)
	}
	return out, nil
}

func containsKey(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

func readList(what string, body json.RawMessage) ([]json.RawMessage, error) {
	var items []json.RawMessage
	if !bytes.HasPrefix(body, []byte("[")) || json.Unmarshal(body, &items) != nil {
		return nil, newInvalidArgumentError(what + " must be a list")
	}
	if len(items) > limits.QueryGroupBys+limits.QueryMetrics {
		return nil, newInvalidArgumentError(what + " has " + strconv.Itoa(len(items)) + " items, too many for a query")
	}
	return items, nil
}

// readExpressionTexts reads a list of expressions.
func readExpressionTexts(what string, body json.RawMessage, into *[]string) error {
	items, err := readList(what, body)
	if err != nil {
		return err
	}
	*into = make([]string, len(items))
	for i, item := range items {
		if err := readExpressionText(what+"/"+strconv.Itoa(i), item, &(*into)[i]); err != nil {
			return err
		}
	}
	return nil
}

// readExpressionText reads a text that may be an expression.
func readExpressionText(what string, body json.RawMessage, into *string) error {
	if err := readText(what, body, into); err != nil {
		return err
	}
	if strings.TrimSpace(*into) == "" {
		return newInvalidArgumentError(what + " is blank")
	}
	return nil
}

func readText(what string, body json.RawMessage, into *string) error {
	if !bytes.HasPrefix(body, []byte(`"`)) || json.Unmarshal(body, into) != nil {
		return newInvalidArgumentError(what + " must be a text")
	}
	if strings.ContainsRune(*into, 0) {
		return newInvalidArgumentError(what + " has the character NUL, which no warehouse accepts")
	}
	return nil
}

// readChoice reads one of two words; absent leaves "".
func readChoice(what string, body json.RawMessage, into *string, words ...string) error {
	if body == nil {
		return nil
	}
	if err := readText(what, body, into); err != nil {
		return err
	}
	if !containsKey(words, *into) {
		return &Error{
			Code: CodeInvalidArgument, OwnCode: planerr.CodeBadRequest, Candidates: words,
			Message: what + " must be " + strings.Join(words, " or "),
		}
	}
	return nil
}
