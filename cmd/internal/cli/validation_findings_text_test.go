package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

func TestFindings_ExcerptPointsAtColumn(t *testing.T) {
	long := strings.Repeat("a", 200) + "X" + strings.Repeat("b", 200)
	for _, c := range []struct {
		name, line string
		column     int
		want       string
	}{
		{"the first column", "name: x", 1, "  2 | name: x\n    | ^\n"},
		{"past letters of two bytes", "größe: x", 8, "  2 | größe: x\n    |        ^\n"},
		{"the end of the line", "ab", 3, "  2 | ab\n    |   ^\n"},
		{"beyond the end of the line", "ab", 9, "  2 | ab\n    |   ^\n"},
		{"tabs and returns are one column", "\ta\r", 2, "  2 |  a\n    |  ^\n"},
		{"what moves a cursor is not shown", "\x1b[2Jx", 5, "  2 |  [2Jx\n    |     ^\n"},
		{"an empty line", "", 1, "  2 |\n    | ^\n"},
		{"the middle of a long line", long, 201,
			"  2 | …" + strings.Repeat("a", 39) + "X" + strings.Repeat("b", 58) + "…\n    | " + strings.Repeat(" ", 40) + "^\n"},
		{"the beginning of a long line", long, 1, "  2 | " + strings.Repeat("a", 99) + "…\n    | ^\n"},
		{"the end of a long line", long, 401, "  2 | …" + strings.Repeat("b", 99) + "\n    | " + strings.Repeat(" ", 99) + "^\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, sourceExcerpt([]string{"", c.line}, modelspec.Position{Line: 2, Column: c.column})); d != "" {
				t.Error(d)
			}
		})
	}
	for _, unknown := range []modelspec.Position{{}, {Line: 3, Column: 1}, {Line: 1}} {
		if got := sourceExcerpt([]string{"", "a"}, unknown); got != "" {
			t.Errorf("%+v: %q", unknown, got)
		}
	}
}

func TestFindings_WorkflowCommandIsOneLine(t *testing.T) {
	f := finding{code: "a:b,c", message: "100%\r\nof it: all, ::error::", hint: "do"}
	want := "::error file=m.yaml,title=a%3Ab%2Cc::100%25%0D%0Aof it: all, ::error::%0Ahint: do\n"
	if d := cmp.Diff(want, f.gitHubWorkflowCommand("m.yaml")); d != "" {
		t.Error(d)
	}
}
