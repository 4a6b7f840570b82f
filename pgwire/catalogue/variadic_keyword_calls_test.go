package catalogue

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
)

// The rows are those of PostgreSQL 15 for the same statements.
func TestCatalogue_ReadsVariadicArgumentsAndNamedWindows(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	s := pgwire.CatalogueSession{Model: servedModel{revision: "a"}, Database: "shop", User: "me"}
	for text, want := range map[string]string{
		"SELECT concat_ws(',', VARIADIC ARRAY['a', 'b'])":                                                                   "[[a,b]]",
		"SELECT concat_ws('-', VARIADIC ARRAY[1, 2, NULL])":                                                                 "[[1-2]]",
		"SELECT concat(VARIADIC ARRAY['a', NULL, 'c'])":                                                                     "[[ac]]",
		"SELECT concat_ws('/', VARIADIC string_to_array('a,b', ','))":                                                       "[[a/b]]",
		"SELECT concat_ws('/', VARIADIC NULL::text[])":                                                                      "[[<nil>]]",
		"SELECT concat_ws(NULL, VARIADIC ARRAY['a'])":                                                                       "[[<nil>]]",
		"SELECT concat(VARIADIC '{}'::text[])":                                                                              "[[]]",
		"SELECT format('%s.%I', VARIADIC ARRAY['public', 'A b'])":                                                           `[[public."A b"]]`,
		"SELECT nspname, rank() OVER w FROM pg_namespace WHERE nspname LIKE 'p%' WINDOW w AS (ORDER BY nspname) ORDER BY 1": "[[pg_catalog 1] [pg_toast 2] [public 3]]",
		"SELECT nspname, row_number() OVER (w ORDER BY nspname DESC) FROM pg_namespace WHERE nspname LIKE 'p%' WINDOW w AS (PARTITION BY left(nspname, 2)) ORDER BY 1": "[[pg_catalog 2] [pg_toast 1] [public 1]]",
	} {
		rows, err := answer(t.Context(), c, s, text, nil)
		if got := fmt.Sprint(rows.Rows); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
	for text, state := range map[string]string{
		"SELECT coalesce(VARIADIC ARRAY['a'])":              "42883",
		"SELECT concat_ws(VARIADIC ARRAY['a'])":             "42883",
		"SELECT concat(VARIADIC ARRAY[ARRAY['a']])":         "0A000",
		"SELECT format('%s', VARIADIC '{a}'::text[])":       "0A000",
		"SELECT count(VARIADIC ARRAY[1])":                   "0A000",
		"SELECT * FROM unnest(VARIADIC ARRAY[1])":           "0A000",
		"SELECT concat(VARIADIC nothing) FROM pg_namespace": "42703",
		"SELECT row_number() OVER w FROM pg_namespace":      "42704",
	} {
		_, err := answer(t.Context(), c, s, text, nil)
		var e *engine.SQLError
		if !errors.As(err, &e) || e.SQLState != state {
			t.Errorf("%s: %v, want %s", text, err, state)
		}
	}
}
