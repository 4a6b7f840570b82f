package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/engine"
)

// question is what a command asked, so that a refusal can show what to ask
// instead.
type question struct {
	cmd  *cobra.Command
	body []byte
}

// corrected is the command line that a suggested fragment of a query makes of the
// one that was refused; "" where the suggestion is in words.
func (q question) corrected(fragment string) string {
	if q.cmd == nil {
		return ""
	}
	merged, ok := mergeQuery(q.body, []byte(fragment))
	if !ok {
		return ""
	}
	words := []string{q.cmd.CommandPath()}
	flags, ok := flagsOf(merged)
	asJSON := q.cmd.Flags().Changed("json") || !ok
	q.cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "json" && !writesQuery(f.Name) {
			words = append(words, "--"+f.Name, shellWord(f.Value.String()))
		}
	})
	if asJSON {
		text, err := engine.MarshalWire(merged)
		if err != nil {
			return ""
		}
		return strings.Join(append(words, "--json", shellWord(string(text))), " ")
	}
	for _, f := range flags {
		words = append(words, "--"+f[0], shellWord(f[1]))
	}
	return strings.Join(words, " ")
}

// writesQuery reports whether a flag is a part of the query.
func writesQuery(name string) bool {
	for _, list := range [][]string{queryFlagNames, selectFlagNames, attributeFlagNames} {
		for _, n := range list {
			if n == name {
				return true
			}
		}
	}
	return false
}

// mergeQuery puts a fragment over a query: each key replaces that of the query as
// a whole, and null removes it.
func mergeQuery(body, fragment []byte) (map[string]any, bool) {
	var query, patch map[string]any
	if json.Unmarshal(body, &query) != nil || json.Unmarshal(fragment, &patch) != nil || len(patch) == 0 {
		return nil, false
	}
	for k, v := range patch {
		if v == nil {
			delete(query, k)
		} else {
			query[k] = v
		}
	}
	return query, true
}

// flagsOf writes a query as flags, in the order of the help. It reports false
// where the query says something that flags cannot.
func flagsOf(query map[string]any) ([][2]string, bool) {
	var out [][2]string
	left := len(query)
	put := func(key, flag string, text func(any) (string, bool)) bool {
		v, given := query[key]
		if !given {
			return true
		}
		left--
		t, ok := text(v)
		if ok && t != "" {
			out = append(out, [2]string{flag, t})
		}
		return ok
	}
	ok := put("metric", "metric", plainText) && put("metrics", "metrics", listOf(plainText)) &&
		put("from", "from", plainText) && put("fields", "fields", listOf(plainText)) &&
		put("group_by", "group-by", listOf(groupByText)) && put("dimensions", "dimensions", listOf(plainText)) &&
		put("baseline", "baseline", windowText) && put("current", "current", windowText) &&
		put("where_sql", "where", plainText) && put("context_filter", "context-filter", plainText) &&
		put("order_by", "order", listOf(orderText)) && put("limit", "limit", plainText) &&
		put("dialect", "dialect", plainText) && put("connection", "connection", plainText) &&
		put("time_dimension", "time-dimension", plainText)
	if v, given := query["time_range"]; ok && given {
		left--
		r, isObject := v.(map[string]any)
		ok = isObject
		for _, part := range [][2]string{{"start", "start"}, {"end", "end"}, {"dimension", "time-dimension"}} {
			if t, given := r[part[0]].(string); given {
				out = append(out, [2]string{part[1], t})
			}
		}
	}
	if v, given := query["params"]; ok && given {
		left--
		p, isObject := v.(map[string]any)
		ok = isObject && paramFlags(p, &out)
	}
	return out, ok && left == 0
}

func plainText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64, bool:
		return strings.TrimSuffix(fmt.Sprint(v), ".0"), true
	}
	return "", false
}

// listOf is for flags that take several names with commas between.
func listOf(one func(any) (string, bool)) func(any) (string, bool) {
	return func(v any) (string, bool) {
		list, ok := v.([]any)
		var out []string
		for _, item := range list {
			text, fits := one(item)
			ok = ok && fits && !strings.ContainsAny(text, `,"`)
			out = append(out, text)
		}
		return strings.Join(out, ","), ok
	}
}

func groupByText(v any) (string, bool) {
	g, ok := v.(map[string]any)
	field, _ := g["field"].(string)
	if grain, given := g["grain"].(string); given {
		field += ":" + grain
	}
	return field, ok && field != ""
}

func orderText(v any) (string, bool) {
	o, ok := v.(map[string]any)
	key, _ := o["key"].(string)
	if desc, _ := o["desc"].(bool); desc {
		key = "-" + key
	}
	return key, ok && key != ""
}

func windowText(v any) (string, bool) {
	w, ok := v.(map[string]any)
	start, _ := w["start"].(string)
	end, _ := w["end"].(string)
	return start + ".." + end, ok
}

func paramFlags(params map[string]any, out *[][2]string) bool {
	for _, name := range sortedKeys(params) {
		values, list := params[name].([]any)
		if !list {
			values = []any{params[name]}
		}
		for _, v := range values {
			text, ok := plainText(v)
			if !ok {
				return false
			}
			*out = append(*out, [2]string{"param", name + "=" + text})
		}
	}
	return true
}

// shellWord quotes a text for a POSIX shell where it needs that.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,=+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
