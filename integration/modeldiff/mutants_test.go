package modeldiff_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// mutate makes one random edit of the text of a model. The result may be invalid.
func mutate(rng *rand.Rand, text string) (mutant, edit string) {
	lines := strings.Split(text, "\n")
	for {
		i := rng.IntN(len(lines))
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		e := edits[rng.IntN(len(edits))]
		if e.line == nil { // remove the line
			return strings.Join(slices.Delete(lines, i, i+1), "\n"), "remove a line"
		}
		if changed := e.line(rng, lines[i]); changed != lines[i] {
			lines[i] = changed
			return strings.Join(lines, "\n"), fmt.Sprintf("%s: %s", e.name, changed)
		}
	}
}

var edits = []struct {
	name string
	line func(rng *rand.Rand, line string) string
}{
	{"remove", nil},
	{"describe", func(_ *rand.Rand, l string) string { return object.ReplaceAllString(l, "$0 description: edited,") }},
	{"synonym", func(_ *rand.Rand, l string) string {
		return object.ReplaceAllString(l, "$0 ai_context: {synonyms: [edited]},")
	}},
	{"rename", func(_ *rand.Rand, l string) string { return object.ReplaceAllString(l, "${1}${2}_renamed,") }},
	{"copy", func(_ *rand.Rand, l string) string {
		if !object.MatchString(l) {
			return l
		}
		return l + "\n" + object.ReplaceAllString(l, "${1}${2}_copy,")
	}},
	{"key", func(_ *rand.Rand, l string) string {
		return regexp.MustCompile(`primary_key: \[(\w+)\]`).ReplaceAllString(l, "unique_keys: [[$1]]")
	}},
	{"unique", func(_ *rand.Rand, l string) string {
		if m := regexp.MustCompile(`^( *)(-?) ?source: (\w+)`).FindStringSubmatch(l); m != nil {
			return l + "\n" + m[1] + "unique_keys: [[region], [order_id], [customer_id], [id]]"
		}
		return l
	}},
	{"word", func(rng *rand.Rand, l string) string {
		w := words[rng.IntN(len(words))]
		return strings.Replace(l, w[0], w[1], 1)
	}},
	{"word", func(rng *rand.Rand, l string) string {
		w := words[rng.IntN(len(words))]
		return strings.Replace(l, w[0], w[1], 1)
	}},
}

var object = regexp.MustCompile(`(- \{name: )([A-Za-z_]\w*),`)

// words are replacements of one text by another.
var words = [][2]string{
	{"SUM(", "MAX("}, {"SUM(", "sum ("}, {"COUNT(", "COUNT(DISTINCT "}, {"AVG(", "MIN("},
	{"datatype: Integer", "datatype: Decimal"}, {"datatype: String", "datatype: Opaque"}, {"datatype: Date}", "datatype: DateTime}"},
	{", datatype: Integer", ""}, {", datatype: Decimal", ""}, {", datatype: Date", ""}, {"expression: ", "expression: 1 + "},
	{"many_to_one", "many_to_many"}, {"one_to_one", "many_to_one"}, {"many_to_many", "many_to_one"},
	{"}", ", cardinality: one_to_one}"}, {"cardinality: ", "x_cardinality: "},
	{`"join_type": "inner"`, `"join_type": "left"`}, {`"left"`, `"inner"`},
	{"month", "quarter"}, {"day", "month"}, {"percent_change", "delta"}, {"rolling", "cumulative"}, {"back", "forward"},
	{"time_dimension", "x_time_dimension"}, {"is_time: true", "is_time: false"}, {`"is_dimension": true`, `"is_dimension": false`},
	{"default", "x_default"}, {`"default": `, `"default": 1`}, {`"allowed": [`, `"allowed": [7, `}, {`"min": `, `"min": 1`}, {`"max": `, `"max": 1`},
	{"fill", "x_fill"}, {"0", "1"}, {"1", "2"}, {"5", "4"}, {"true", "false"}, {" + ", " - "}, {" - ", " + "}, {">=", ">"}, {"region", "segment"},
	{"customer_id", "order_id"}, {"from: ", "to: "}, {"source: ", "source: other."}, {"'", "''"}, {"ANSI_SQL", "DUCKDB"}, {"ANSI_SQL", "POSTGRES"},
	{"grain", "x_grain"}, {"where", "x_where"}, {"sum", "avg"}, {"rank", "dense_rank"}, {"primary_key: ", "unique_keys: "},
}
