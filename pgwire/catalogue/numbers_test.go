package catalogue

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
)

// A number is exact or rejected, and a division by zero is an error: never another number.
func TestCatalogue_NumbersAreExactOrRefused(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	s := pgwire.CatalogueSession{Model: servedModel{revision: "a"}, Database: "shop", User: "me"}
	for text, want := range map[string]string{
		"9223372036854775808":                  "9223372036854775808",
		"1234567890123456789.123456789":        "1234567890123456789.123456789",
		"'0.000000001'::numeric":               "0.000000001",
		"0.00000000000012":                     "0.00000000000012",
		"12e3":                                 "12000",
		"7 / 2":                                "3",
		"-7 % 3":                               "-1",
		"NULL::int / 0":                        "<nil>",
		"99999999999999999999":                 "refused 0A000",
		"'99999999999999999999'::numeric":      "refused 0A000",
		"0.1234567890123456789":                "refused 0A000",
		"1234567890123456e3":                   "refused 0A000",
		"'x'::numeric":                         "refused 22P02",
		"1 / 0":                                "refused 22012",
		"1.5 / (1 - 1)":                        "refused 22012",
		"5 % 0":                                "refused 22012",
		"1::float8 / 0":                        "refused 22012",
		"(SELECT 4 / count(*) FROM pg_policy)": "refused 22012",
	} {
		rows, err := answer(t.Context(), c, s, "SELECT "+text, nil)
		var got string
		var e *engine.SQLError
		switch {
		case errors.As(err, &e):
			got = "refused " + e.SQLState
		case err != nil:
			got = err.Error()
		default:
			got = fmt.Sprint(rows.Rows[0][0])
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
