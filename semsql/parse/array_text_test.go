package parse_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/semsql/parse"
)

func TestParseArrayText_ReadsElementsAsPostgreSQL(t *testing.T) {
	text := func(s string) parse.ArrayElement { return parse.ArrayElement{Text: s} }
	null := parse.ArrayElement{Text: "NULL", Null: true}
	for written, want := range map[string][]parse.ArrayElement{
		`{}`:                    nil,
		" { } ":                 nil,
		`{a}`:                   {text("a")},
		`{a,b}`:                 {text("a"), text("b")},
		"{ a b ,\tc }":          {text("a b"), text("c")},
		`{"a,b"," c ","",NULL}`: {text("a,b"), text(" c "), text(""), null},
		`{"NULL",nu\ll}`:        {text("NULL"), text("null")},
		`{"x\"y","\\"}`:         {text(`x"y`), text(`\`)},
		`{a\,b,c\}}`:            {text("a,b"), text("c}")},
		`{it's,größe}`:          {text("it's"), text("größe")},
	} {
		got, ok := parse.ParseArrayText(written)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %v %s", written, ok, diff)
		}
	}
	for _, written := range []string{``, `a`, `{`, `}`, `{a`, `{a,}`, `{,a}`, `{"a}`, `{"a"b}`, `{a"b"}`, `{{a},{b}}`, `{a}b`, `{a\}`, `[1:2]={a,b}`} {
		if got, ok := parse.ParseArrayText(written); ok {
			t.Errorf("%s is read as %v", written, got)
		}
	}
}
