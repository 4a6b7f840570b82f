package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// decoders are the ways into the service, by the body that they read.
var decoders = map[string]func([]byte) error{
	"metric":    func(body []byte) error { _, err := query.DecodeMetric(body); return err },
	"detail":    func(body []byte) error { _, err := query.DecodeDetail(body); return err },
	"attribute": func(body []byte) error { _, err := query.DecodeAttribute(body); return err },
	"model":     func(body []byte) error { _, err := query.DecodeValidateBody(body); return err },
}

// keys are a key of each body, and values what it takes.
var (
	keys   = map[string]string{"metric": "metrics", "detail": "from", "attribute": "metric", "model": "model"}
	values = map[string]string{"metric": `["a"]`, "detail": `"a"`, "attribute": `"a"`, "model": `"a"`}
)

func TestStrict_RejectsRepeatedKey(t *testing.T) {
	for name, decode := range decoders {
		key, value := keys[name], values[name]
		escaped := fmt.Sprintf("\\u%04x", key[0]) + key[1:]
		for _, c := range []struct{ what, body, says string }{
			{"two values", `{"` + key + `":` + value + `,"` + key + `":` + value + `}`, "the key " + key + " appears twice"},
			{"the same under an escape", `{"` + key + `":` + value + `,"` + escaped + `":` + value + `}`, "the key " + key + " appears twice"},
			{"an unknown key", `{"zz":1,"zz":2}`, "the key zz appears twice"},
			{"deep within an unknown key", `{"zz":[{"a":{"b":1,"b":2}}]}`, "the key zz[0].a.b appears twice"},
		} {
			var refused *planerr.Error
			if err := decode([]byte(c.body)); !errors.As(err, &refused) || refused.Code != "bad_request" || !strings.Contains(refused.Message, c.says) {
				t.Errorf("%s, %s: %v", name, c.what, err)
			}
		}
	}
}

func TestStrict_BoundsDepth(t *testing.T) {
	nested := func(levels int) string {
		return `{"zz":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + "}"
	}
	for name, decode := range decoders {
		var refused *planerr.Error
		if err := decode([]byte(nested(63))); err == nil || strings.Contains(err.Error(), "levels of nesting") {
			t.Errorf("%s, 64 levels: %v", name, err)
		}
		if err := decode([]byte(nested(64))); !errors.As(err, &refused) || refused.Code != "bad_request" || !strings.Contains(refused.Message, "more than 64 levels of nesting") {
			t.Errorf("%s, 65 levels: %v", name, err)
		}
	}
}

// Another JSON reader finds neither a duplicate key nor a great depth in any body that a
// decoder accepts.
func FuzzStrict_AcceptedBodies(f *testing.F) {
	for _, seed := range []string{
		everyMetricKey, `{"metrics":["a"],"metrics":["b"]}`, `{"params":{"t":1,"\u0074":2}}`, `{"time_ranges":{"a":{},"a":{}}}`,
		`{"from":"orders","fields":["a"],"order_by":[{"key":"a","key":"b"}]}`, `{"metric":"m","baseline":{"start":"a","start":"b"}}`,
		`{"model":"a","model":"b"}`, `{"x":[[[[{}]]]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, decode := range decoders {
			if decode(body) != nil {
				continue
			}
			if why := loose(body); why != "" {
				t.Errorf("%s accepts %q: %s", name, body, why)
			}
		}
	})
}

// loose returns what is not strict about a JSON text, "" if it is strict.
func loose(text []byte) string {
	type level struct {
		keys    map[string]bool // nil in an array
		wantKey bool
	}
	var open []level
	tokens := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := tokens.Token()
		if err != nil {
			return ""
		}
		if delim, ok := token.(json.Delim); ok && (delim == ']' || delim == '}') {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open) - 1; n >= 0 && open[n].keys != nil {
			if open[n].wantKey {
				key, _ := token.(string)
				if open[n].keys[key] {
					return "the key " + key + " appears twice"
				}
				open[n].keys[key], open[n].wantKey = true, false
				continue
			}
			open[n].wantKey = true
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{map[string]bool{}, true})
		case json.Delim('['):
			open = append(open, level{})
		}
		if len(open) > 64 {
			return "more than 64 levels"
		}
	}
}
