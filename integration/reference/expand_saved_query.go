package reference

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// ExpandSavedQuery writes out a request that names a saved query: the saved body with the bound
// parameters, under the keys of the request. A request without `saved` is returned unchanged.
// Errors are a *Rejection, or an *Abstention.
func ExpandSavedQuery(cat *catalog.Catalog, kind catalog.SavedQueryKind, body []byte) (expanded []byte, err error) {
	var request map[string]json.RawMessage
	var name string
	if !decodesJSONInto(body, &request) || request["saved"] == nil || !decodesJSONInto(request["saved"], &name) {
		return body, nil
	}
	reject := func(code string) ([]byte, error) { return nil, &Rejection{Must: []string{code}} }
	saved := cat.SavedQuery(name)
	switch {
	case saved == nil:
		return reject("unknown_saved_query")
	case saved.Kind != kind:
		return reject("bad_request")
	case saved.Err != nil:
		return nil, &Abstention{"the saved query does not compile"}
	}
	bound, others, ok := splitSavedBindings(saved, request["params"])
	if !ok {
		return reject("param_out_of_domain")
	}
	out := map[string]json.RawMessage{}
	for _, key := range saved.Body {
		if _, replaced := request[key.Name]; replaced && key.Name != "params" {
			continue
		}
		value, ok := writeSavedBodyValue(saved, key.Parts, bound)
		if !ok {
			return reject("param_out_of_domain")
		}
		out[key.Name] = value
	}
	for key, value := range request {
		if key != "saved" && key != "params" && string(value) != "null" {
			out[key] = value
		}
	}
	if len(others) > 0 {
		params := map[string]json.RawMessage{}
		if out["params"] != nil {
			if err := json.Unmarshal(out["params"], &params); err != nil {
				return nil, err
			}
		}
		for key, value := range others {
			params[key] = value
		}
		if out["params"], err = json.Marshal(params); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// decodesJSONInto reports whether a text is JSON of the type of into; a text that is not is
// left to the decoder of requests.
func decodesJSONInto(text []byte, into any) bool { return json.Unmarshal(text, into) == nil }

// splitSavedBindings parts the bindings of a request into those of the saved query and those of the
// model. ok is false for a list or a value that a parameter of the saved query does not take.
func splitSavedBindings(saved *catalog.SavedQuery, text json.RawMessage) (bound map[string]query.ParamValue, others map[string]json.RawMessage, ok bool) {
	bound, others = map[string]query.ParamValue{}, map[string]json.RawMessage{}
	var given map[string]json.RawMessage
	if text != nil && json.Unmarshal(text, &given) != nil {
		return bound, others, true
	}
	for key, value := range given {
		i := slices.IndexFunc(saved.Params, func(p *catalog.Param) bool { return p.Name == key })
		if i < 0 {
			others[key] = value
			continue
		}
		scalar, isScalar := parseScalarJSON(value)
		typed, takes := parameterValue(saved.Params[i], scalar)
		if !isScalar || !takes || !isInParamDomain(saved.Params[i], typed) {
			return nil, nil, false
		}
		bound[key] = scalar
	}
	return bound, others, true
}

func parseScalarJSON(text json.RawMessage) (query.ParamValue, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return query.ParamValue{}, false
	}
	switch v := v.(type) {
	case string:
		return query.ParamValue{Kind: query.StringValue, Text: v}, true
	case json.Number:
		return query.ParamValue{Kind: query.NumberValue, Text: v.String()}, true
	case bool:
		return query.ParamValue{Kind: query.BoolValue, Text: strings.TrimSpace(string(text))}, true
	}
	return query.ParamValue{}, false
}

// writeSavedBodyValue writes a value of a saved body. ok is false where a parameter has no value.
func writeSavedBodyValue(saved *catalog.SavedQuery, parts []catalog.SavedBodyPart, bound map[string]query.ParamValue) (value json.RawMessage, ok bool) {
	var out bytes.Buffer
	for _, part := range parts {
		switch part := part.(type) {
		case catalog.SavedBodyJSONText:
			out.WriteString(string(part))
		case catalog.SavedBodyParamPlaceholder:
			literal, ok := savedParamValue(saved, part.Param, bound)
			if !ok {
				return nil, false
			}
			out.Write(literalAsJSON(literal))
		case catalog.SavedBodyCondition:
			missing := false
			e := sqlexpr.Rewrite(part.Condition, func(x sqlexpr.Expr) sqlexpr.Expr {
				slot, ok := x.(*sqlexpr.Param)
				if !ok {
					return nil
				}
				literal, ok := savedParamValue(saved, slot.Name, bound)
				missing = missing || !ok
				if !ok {
					return x
				}
				return literal
			})
			if missing {
				return nil, false
			}
			text, _ := json.Marshal(sqlexpr.Format(e))
			out.Write(text)
		}
	}
	return out.Bytes(), true
}

// savedParamValue returns the value of a parameter: the bound one, or the default.
func savedParamValue(saved *catalog.SavedQuery, name string, bound map[string]query.ParamValue) (sqlexpr.Expr, bool) {
	p := saved.Param(name)
	v, given := bound[name]
	if !given {
		return p.Default, p.Default != nil
	}
	switch p.Type {
	case catalog.ParamString:
		return &sqlexpr.String{Value: v.Text}, true
	case catalog.ParamDate:
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: v.Text}, true
	case catalog.ParamBool:
		return &sqlexpr.Bool{Value: v.Text == "true"}, true
	}
	if digits, negative := strings.CutPrefix(v.Text, "-"); negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}, true
	}
	return &sqlexpr.Number{Text: v.Text}, true
}

// literalAsJSON returns a literal as a JSON value.
func literalAsJSON(e sqlexpr.Expr) []byte {
	quoted := func(text string) []byte {
		out, _ := json.Marshal(text)
		return out
	}
	switch e := e.(type) {
	case *sqlexpr.String:
		return quoted(e.Value)
	case *sqlexpr.TypedLiteral:
		return quoted(e.Value)
	}
	return []byte(sqlexpr.Format(e))
}
