package driver_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestText_NumbersTheStatementsOfARequest(t *testing.T) {
	ctx := executor.WithQueryTag(t.Context(), "0123abcd")
	other := executor.WithQueryTag(t.Context(), "ffff")
	for _, c := range []struct{ got, want string }{
		{driver.NextStatementTag(ctx), "semlayer 0123abcd/1"},
		{driver.NewCommentForNextStatement(ctx), "/* semlayer 0123abcd/2 */ "},
		{driver.NewCommentForNextStatement(other), "/* semlayer ffff/1 */ "},
		{driver.NextStatementTag(t.Context()), ""},
		{driver.NewCommentForNextStatement(t.Context()), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestComment_CarriesNoIDThatCouldEndIt(t *testing.T) {
	for _, id := range []string{"", "a*/b", "a b", "a\nb", "a'b", "é", strings.Repeat("a", 49)} {
		if got := driver.NewCommentForNextStatement(executor.WithQueryTag(t.Context(), id)); got != "" {
			t.Errorf("the id %q is carried as %q", id, got)
		}
	}
}
