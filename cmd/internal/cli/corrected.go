package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/engine"
)

// question is what a command asked, so that a refusal can show what to ask
// instead.
type question struct {
	cmd  *cobra.Command
	form asking
	body []byte
}

// asking are the flags of one kind of query.
type asking interface {
	register(cmd *cobra.Command)
	body(cmd *cobra.Command) ([]byte, error)
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
	cmd, form := q.cmd, q.form
	if _, records := form.(*selectFlags); records && merged["metrics"] != nil {
		cmd, form = q.metricCommand(), new(queryFlags)
		delete(merged, "from")
		delete(merged, "fields")
	}
	words := append([]string{cmd.CommandPath()}, q.otherFlags(cmd)...)
	if flags, ok := flagsOf(merged); ok && !q.cmd.Flags().Changed("json") && readsAs(form, flags, merged) {
		return shellLine(append(words, flags...))
	}
	text, err := engine.MarshalWire(merged)
	if err != nil {
		return ""
	}
	return shellLine(append(words, "--json", string(text)))
}

// metricCommand does with a metric query what the refused command was to do with
// a detail query: its switches are commands there.
func (q question) metricCommand() *cobra.Command {
	name := "query"
	for flag, command := range map[string]string{"sql": "compile", "explain": "explain"} {
		if on, err := q.cmd.Flags().GetBool(flag); err == nil && on {
			name = command
		}
	}
	cmd, _, err := q.cmd.Root().Find([]string{name})
	if err != nil {
		return q.cmd
	}
	return cmd
}

// otherFlags are the flags of the refused command beside its query, as far as
// the command that takes its place has them.
func (q question) otherFlags(cmd *cobra.Command) []string {
	var words []string
	q.cmd.Flags().Visit(func(f *pflag.Flag) {
		own := cmd.Flags().Lookup(f.Name)
		if own == nil || f.Name == "json" || writesQuery(f.Name) {
			return
		}
		value := f.Value.String()
		if own != f && f.Name == formatFlagName && !slices.Contains(formatsOf(own), value) {
			value = formatTable // CSV is for rows; SQL and plans are text all the same
		}
		words = append(words, flagWord(f.Name, f.Value.Type(), value)...)
	})
	return words
}

// flagWord writes one flag. The value of a switch needs an equals sign: a word of
// its own would be an argument.
func flagWord(name, kind, value string) []string {
	switch {
	case kind != "bool":
		return []string{"--" + name, value}
	case value == "true":
		return []string{"--" + name}
	}
	return []string{"--" + name + "=" + value}
}

// readsAs reports whether flags give a query when they are read again. Names with
// commas or blanks at their ends do not, and numbers that are written as text.
func readsAs(form asking, words []string, query map[string]any) bool {
	cmd := new(cobra.Command)
	form.register(cmd)
	if cmd.ParseFlags(words) != nil {
		return false
	}
	body, err := form.body(cmd)
	if err != nil {
		return false
	}
	read, err := decodeQuery(body)
	return err == nil && reflect.DeepEqual(withoutEmptyLists(read), withoutEmptyLists(query))
}

// withoutEmptyLists leaves out what says nothing, as flags do.
func withoutEmptyLists(query map[string]any) map[string]any {
	out := maps.Clone(query)
	maps.DeleteFunc(out, func(_ string, v any) bool {
		list, ok := v.([]any)
		return ok && len(list) == 0
	})
	return out
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
	query, err := decodeQuery(body)
	if err != nil {
		return nil, false
	}
	patch, err := decodeQuery(fragment)
	if err != nil || len(patch) == 0 {
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

// decodeQuery reads a query with its numbers digit by digit.
func decodeQuery(body []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var query map[string]any
	if err := d.Decode(&query); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one value")
	}
	return query, nil
}

// flagsOf writes a query as flags, in the order of the help. It reports false
// where the query says something that flags cannot.
func flagsOf(query map[string]any) ([]string, bool) {
	var out []string
	left := len(query)
	put := func(key, flag string, text func(any) (string, bool)) bool {
		v, given := query[key]
		if !given {
			return true
		}
		left--
		t, ok := text(v)
		if ok && t != "" {
			out = append(out, "--"+flag, t)
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
				out = append(out, "--"+part[1], t)
			}
		}
	}
	if v, given := query["params"]; ok && given {
		left--
		p, isObject := v.(map[string]any)
		ok = isObject && paramFlags(p, &out)
	}
	if on, _ := query["pretty"].(bool); on {
		left--
		out = append(out, "--pretty")
	}
	return out, ok && left == 0
}

func plainText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number, bool:
		return fmt.Sprint(v), true
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
			ok = ok && fits
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

func paramFlags(params map[string]any, out *[]string) bool {
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
			*out = append(*out, "--param", name+"="+text)
		}
	}
	return true
}

// shellLine writes a command for a POSIX shell. The first word is the path of a
// command, whose names stand bare.
func shellLine(words []string) string {
	line := words[0]
	for _, w := range words[1:] {
		line += " " + shellWord(w)
	}
	return line
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
