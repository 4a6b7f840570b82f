package modeltest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/modeltest"
)

const one = "tests:\n  - name: a\n    query: {metrics: [m]}\n"

func TestParse_MistakesNameTheirLine(t *testing.T) {
	for _, c := range []struct {
		text, message string
		line          int
	}{
		{"", "empty", 1},
		{"tests: 5", "must be a list", 1},
		{"test: []", `no key "test"`, 1},
		{"tests:\n  - {query: {}}", "needs a name", 2},
		{"tests:\n  - {name: a}", "needs one of query", 2},
		{"tests:\n  - {name: a, query: {}, select: {}}", "both query and select", 2},
		{"tests:\n  - {name: a, query: {}}\n  - {name: a, query: {}}", "second test", 3},
		{"tests:\n  - {name: a, query: {}, limit: 5}", `no key "limit"`, 2},
		{"tests:\n  - {name: a, query: {}, skip: true}", "reason", 2},
		{"tests:\n  - {name: a, query: {}, as: analyst}", "as must be an identity", 2},
		{"tests:\n  - {name: a, query: {}, as: {role: analyst}}", `as: an identity has no key "role"`, 2},
		{one + "    expect: {row: 1}", `no key "row"`, 4},
		{one + "    expect: {rows: [], error: x}", "both rows and error", 4},
		{one + "    expect: {compiles: false}", "compiles must be true", 4},
		{one + "    expect: {row_count: 1, ordered: true}", "ordered belongs to", 4},
		{one + "    expect: {row_count: {min: 3, max: 1}}", "below min", 4},
		{one + "    expect: {rows: [], tolerance: .nan}", "tolerance", 4},
		{one + "    expect: {rows: [[1]]}", "a value for each of columns", 4},
		{one + "    expect:\n      rows:\n        - {a: 1}\n        - {b: 1}", "lacks the column", 7},
		{one + "    expect: {rows: [{a: [1]}]}", "a value must be", 4},
		{one + "    expect: {rows: [{a: .inf}]}", "finite", 4},
		{"tests: &x\n  - *x", "no aliases", 2},
		{"tests: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "levels", 1},
		{"{", "not YAML", 1},
		{"# a comment\n# another\ntests:\n  - {name: a, query: {}}\n  - name: b: c\n", "not YAML: mapping values", 5},
		{one + "   skip: x\n", "not YAML", 4},
	} {
		_, err := modeltest.ParseTestFile("f", []byte(c.text))
		var p *modeltest.ParseError
		if !errors.As(err, &p) || p.Line != c.line || !strings.Contains(p.Message, c.message) {
			t.Errorf("%s: %v, want %q in line %d", c.text, err, c.message, c.line)
		}
	}
}

// FuzzParse: any text is a file or a mistake with a line.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		one, one + "    expect: {rows: [{a: 1, b: null}], tolerance: 0.1}", "tests:\n  - {name: a, saved: b, params: {x: 2024-01-01}, expect: {row_count: {max: 2}}}",
		"tests: [{name: a, select: {limit: 0x10}, expect: {columns: [a], rows: [[.5]]}}]", "tests: &a [*a]", "? [a]\n: b", "\x00", "tests:\n- {name: a, query: {a: !!binary aGk=}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := modeltest.ParseTestFile("f", []byte(text))
		var p *modeltest.ParseError
		if err != nil && (!errors.As(err, &p) || p.Line < 1 || p.Message == "") {
			t.Errorf("%v", err)
		}
		if err == nil && file == nil {
			t.Error("neither a file nor an error")
		}
	})
}
