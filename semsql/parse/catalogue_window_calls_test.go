package parse

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseCatalogue_NamedWindowsAreWhatTheyName(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT rank() OVER w FROM t WINDOW w AS (PARTITION BY a ORDER BY b)":                                "SELECT rank() OVER (PARTITION BY a ORDER BY b) FROM t",
		"SELECT rank() OVER (W ORDER BY c) FROM t WINDOW w AS (PARTITION BY a)":                              "SELECT rank() OVER (PARTITION BY a ORDER BY c) FROM t",
		"SELECT rank() OVER (w) FROM t WINDOW w AS (ORDER BY b DESC)":                                        "SELECT rank() OVER (ORDER BY b DESC) FROM t",
		"SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY b ROWS 1 PRECEDING)":                              "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
		"SELECT sum(a) OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (ORDER BY b)":                            "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
		"SELECT rank() OVER x FROM t WINDOW w AS (PARTITION BY a), x AS (w ORDER BY b)":                      "SELECT rank() OVER (PARTITION BY a ORDER BY b) FROM t",
		"SELECT (SELECT rank() OVER w FROM u WINDOW w AS (ORDER BY b)), rank() OVER w FROM t WINDOW w AS ()": "SELECT (SELECT rank() OVER (ORDER BY b) FROM u), rank() OVER () FROM t",
		"SELECT 1 FROM t WINDOW w AS (ORDER BY b)":                                                           "SELECT 1 FROM t",
	} {
		q, err := ParseCatalogueStatement(text, DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := Format(q); !strings.EqualFold(got, want) {
			t.Errorf("%s\nis   %s\nwant %s", text, got, want)
		}
	}
}

func TestParseCatalogue_RefusesNamesThatAreNoWindow(t *testing.T) {
	for text, state := range map[string]string{
		"SELECT rank() OVER w FROM t":                                                                     "42704",
		"SELECT rank() OVER w FROM t WINDOW x AS ()":                                                      "42704",
		"SELECT rank() OVER \"W\" FROM t WINDOW w AS ()":                                                  "42704",
		"SELECT rank() OVER x FROM t WINDOW x AS (w), w AS ()":                                            "42704",
		"SELECT rank() OVER x FROM t WINDOW x AS (x)":                                                     "42704",
		"SELECT (SELECT rank() OVER w FROM u) FROM t WINDOW w AS ()":                                      "42704",
		"SELECT rank() OVER w FROM t WINDOW w AS (), w AS ()":                                             "42P20",
		"SELECT rank() OVER (w PARTITION BY a) FROM t WINDOW w AS ()":                                     "42P20",
		"SELECT rank() OVER (w ORDER BY a) FROM t WINDOW w AS (ORDER BY b)":                               "42P20",
		"SELECT rank() OVER (w) FROM t WINDOW w AS (ROWS 1 PRECEDING)":                                    "42P20",
		"SELECT a FROM t WINDOW w AS () ORDER BY rank() OVER w":                                           "",
		"SELECT (SELECT a FROM u ORDER BY rank() OVER w) FROM t WINDOW w AS ()":                           "42704",
		"SELECT f(VARIADIC a, b) FROM t":                                                                  "42601",
		"SELECT rank() OVER w FROM t WINDOW":                                                              "42601",
		"SELECT rank() OVER w FROM t WINDOW w ()":                                                         "42601",
		"SELECT rank() OVER w FROM t WINDOW w AS (ORDER BY " + strings.Repeat("a,", 900) + "a), x AS (w)": "",
	} {
		_, err := ParseCatalogueStatement(text, DefaultLimits())
		var e *Error
		got := ""
		if errors.As(err, &e) {
			got = e.SQLState
		}
		if got != state {
			t.Errorf("%s: %v, want %s", text, err, state)
		}
	}
}

// A short text does not become a long one by naming a window many times, also over several names.
func TestParseCatalogue_BoundsWhatNamedWindowsStandFor(t *testing.T) {
	long := "w0 AS (ORDER BY " + strings.Repeat("a, ", 900) + "a)"
	for i := range 9 {
		long += fmt.Sprintf(", w%d AS (w%d)", i+1, i)
	}
	for _, items := range []string{strings.Repeat("rank() OVER w0, ", 900), strings.Repeat("rank() OVER w9, ", 900)} {
		_, err := ParseCatalogueStatement("SELECT "+items+"1 FROM t WINDOW "+long, DefaultLimits())
		var e *Error
		if !errors.As(err, &e) || e.SQLState != "54000" {
			t.Errorf("%v", err)
		}
	}
}
