package sqlemit

import "testing"

func TestParseTemplate_DerivesPrecedence(t *testing.T) {
	for spec, want := range map[string]struct {
		result precedence
		places []precedence
	}{
		"ROUND($1, $2)": {precPrimary, []precedence{precAny, precAny}},
		"ROUND($1 * POWER(10, $2)) / POWER(10, $2)":          {precMul, []precedence{precMul, precAny, precAny}},
		"CAST($2 AS DATE) - CAST($1 AS DATE)":                {precAdd, []precedence{precAny, precAny}},
		"CAST($2 - $1 AS INTEGER)":                           {precPrimary, []precedence{precAdd, precMul}},
		"'-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months'": {precConcat, []precedence{precAny}},
		"CASE WHEN $1 THEN -$2 ELSE $1 = 'a - b' END":        {precPrimary, []precedence{precAny, precPrimary, precConcat}},
		"CASE WHEN $1 > 0 THEN 1 END + 1":                    {precAdd, []precedence{precConcat}},
		"$1 IS NOT DISTINCT FROM $2":                         {precCompare, []precedence{precConcat, precConcat}},
		"NOT ($1 <=> $2)":                                    {precNot, []precedence{precConcat, precConcat}},
		"$1 = 1 AND $2":                                      {precAnd, []precedence{precConcat, precAnd}},
		"$1 NOT IN ('a', $2)":                                {precCompare, []precedence{precConcat, precAny}},
		"$1 AT TIME ZONE 'UTC'":                              {precUnary, []precedence{precPrimary}},
		"SPLIT($1, $2)[SAFE_ORDINAL($3)]":                    {precPrimary, []precedence{precAny, precAny, precAny}},
		"EXTRACT(YEAR FROM $1) * 12 + $2":                    {precAdd, []precedence{precAny, precMul}},
		"$1 + CAST($2 AS INTEGER) * INTERVAL '1 day'":        {precAdd, []precedence{precAdd, precAny}},
		"CURRENT_DATE":                                       {precPrimary, nil},
		"DATE $1 // 7":                                       {precMul, []precedence{precMul}},
	} {
		f := parseTemplate(spec)
		var places []precedence
		var text string
		for _, s := range f.segs {
			text += s.text
			if s.arg > 0 {
				text += "$" + string('0'+rune(s.arg))
				places = append(places, s.min)
			}
		}
		if text != spec {
			t.Errorf("%s is read as %s", spec, text)
		}
		if f.prec != want.result || len(places) != len(want.places) {
			t.Errorf("%s binds like %d at places %v, want %d at %v", spec, f.prec, places, want.result, want.places)
			continue
		}
		for i := range places {
			if places[i] != want.places[i] {
				t.Errorf("%s: place %d needs %d, want %d", spec, i+1, places[i], want.places[i])
			}
		}
	}
}
