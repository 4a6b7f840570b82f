package document_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/modelspec/document"
)

func TestRead_PlacesAnErrorWhereReadingStopped(t *testing.T) {
	const begins = "; the block that it belongs to begins at line "
	tests := []struct {
		name, text string
		want       document.Error
	}{
		{"an item that is less indented than its list", "# glazes\nname: studio\nkilns:\n  - name: north\n- name: south\n", document.Error{
			Line: 5, Column: 1, Message: "did not find expected key" + begins + "2, column 1",
			Hint: "the line is indented by 0, and line 4 by 2: entries of one block are indented alike",
		}},
		{"a key that is less indented than its map", "# glazes\nkilns:\n    heat: 3\n\n    # the next\n  bowls: 4\n", document.Error{
			Line: 6, Column: 3, Message: "did not find expected key" + begins + "2, column 1",
			Hint: "the line is indented by 2, and line 3 by 4: entries of one block are indented alike",
		}},
		{"a key that is less indented than its list", "kilns:\n  - heat: 3\n  bowls: 4\n", document.Error{
			Line: 3, Column: 3, Message: "did not find expected '-' indicator" + begins + "2, column 3",
			Hint: "the line is indented by 2, and line 1 by 0: entries of one block are indented alike",
		}},
		{"a key that is deeper than its map", "heat: 3\n  bowls: 4\n", document.Error{
			Line: 2, Column: 8, Message: "mapping values are not allowed in this context",
			Hint: "indent the line as the line above it, or put the text above into quotes",
		}},
		{"a colon in a text", "a: 1\nabout: kilns: what they hold\n", document.Error{
			Line: 2, Column: 13, Message: "mapping values are not allowed in this context",
			Hint: "put the text into quotes, because it contains a colon",
		}},
		{"a colon in a text of a map in braces", "kiln: {about: north: the old one}\n", document.Error{
			Line: 1, Column: 20, Message: "did not find expected ',' or '}'" + begins + "1, column 7",
			Hint: "put the text into quotes, because it contains a colon",
		}},
		{"a missing comma", "kilns:\n  - {name: north, type: Integer heat: {low: 3}}\n", document.Error{
			Line: 2, Column: 37, Message: "did not find expected ',' or '}'" + begins + "2, column 5",
			Hint: "write a comma between the entries, or put a text with special characters into quotes",
		}},
		{"a missing bracket", "a: 1\nkeys: [kiln, bowl\nheat: 3\n", document.Error{
			Line: 3, Column: 5, Message: "did not find expected ',' or ']'" + begins + "2, column 7",
			Hint: "close the bracket of line 2 with ], or write a comma between its entries",
		}},
		{"a bracket that is never closed", "a: 1\nkeys: [kiln, bowl\n\n", document.Error{
			Line: 2, Column: 18, Message: "did not find expected ',' or ']'" + begins + "2, column 7",
			Hint: "write a comma between the entries, or close the bracket with ]",
		}},
		{"a bracket too much", "keys: [kiln]]\nheat: 3\n", document.Error{
			Line: 1, Column: 13, Message: "did not find expected key" + begins + "1, column 1",
			Hint: "remove the bracket, or open one before it",
		}},
		{"a quote in single quotes", "# glazes\nabout: 'the studio's kilns'\n", document.Error{
			Line: 2, Column: 20, Message: "did not find expected key" + begins + "2, column 1",
			Hint: "double the quote inside the text: ''",
		}},
		{"a quote in double quotes", "{about: \"the \"old\" kilns\"}\n", document.Error{
			Line: 1, Column: 15, Message: "did not find expected ',' or '}'" + begins + "1, column 1",
			Hint: `write the quote inside the text as \"`,
		}},
		{"quotes that do not end", "a: 1\nabout: 'north\nheat: 3\n", document.Error{
			Line: 2, Column: 8, Message: "the text ends inside the quotes that begin here",
			Hint: "close the quotes at the end of the text",
		}},
		{"a tab for indentation", "kilns:\n  - name: north\n\theat: 3\n", document.Error{
			Line: 3, Column: 1, Message: "a tab is used for indentation; YAML takes spaces only",
			Hint: "replace the tab by spaces",
		}},
		{"a tab before a list", "kilns:\n\t- name: north\n", document.Error{
			Line: 2, Column: 1, Message: "a tab is used for indentation; YAML takes spaces only", Hint: "replace the tab by spaces",
		}},
		{"a key without a colon", "heat: 1\nbowls 2\nkilns: 3\n", document.Error{
			Line: 2, Column: 1, Message: "could not find expected ':'", Hint: "write a colon and a space after the key",
		}},
		{"a text with a sign of YAML before it", "ä: `kiln`\n", document.Error{
			Line: 1, Column: 4, Message: "found character that cannot start any token", Hint: "put the text that begins with ` into quotes",
		}},
		{"a name of nothing", "kilns: 1\nheat: *kiln\n", document.Error{Line: 2, Column: 7, Message: "unknown anchor 'kiln' referenced"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range []struct{ above, end string }{{"", "\n"}, {"# yaml-language-server: $schema=x.json\n%YAML 1.2\n---\n", "\n"}, {"", "\r\n"}} {
				_, err := document.ReadYAML([]byte(strings.ReplaceAll(c.above+tt.text, "\n", c.end)), 2)
				var got *document.Error
				if !errors.As(err, &got) {
					t.Fatalf("got %v", err)
				}
				want := tt.want
				if c.above != "" {
					got.Line -= 3
					want.Message, want.Hint, got.Message, got.Hint = "", "", "", ""
				}
				if d := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(document.Error{})); d != "" {
					t.Errorf("%q: %s", c.end, d)
				}
			}
		})
	}
}
