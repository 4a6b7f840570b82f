package sqlexpr

import (
	"errors"
	"testing"
)

// literalsOfDialects are texts that only an entry of their dialect may hold, and their canonical forms.
var literalsOfDialects = []struct{ dialect, text, canonical string }{
	{"bigquery", `REGEXP_EXTRACT(note, r'[0-9]+\.')`, `REGEXP_EXTRACT(note, r'[0-9]+\.')`},
	{"bigquery", `x = R"it's \" fine"`, `x = R"it's \" fine"`},
	{"bigquery", `x = r'''a 'b' c''' OR y = b'\x00'`, `x = r'''a 'b' c''' OR y = b'\x00'`},
	{"bigquery", `REPLACE(x, 'it\'s', 'a\\b')`, `REPLACE(x, 'it\'s', 'a\\b')`},
	{"databricks", `RLIKE(x, r'\d\')`, `RLIKE(x, r'\d\')`},
	{"databricks", "raw:store.bicycle[0]['a b'].price::double", "CAST(raw:store.bicycle[0]['a b'].price AS DOUBLE)"},
	{"snowflake", "payload:kiln.site::string", "CAST(payload:kiln.site AS STRING)"},
	{"snowflake", `t.payload : "Kiln no" . order[1] = 'x'`, ""},
	{"snowflake", `t.payload :"Kiln no" . order[1] = 'x'`, `t.payload:"Kiln no".order[1] = 'x'`},
	{"snowflake", "PARSE_JSON(x):a.date::date - 1", "CAST(PARSE_JSON(x):a.date AS DATE) - 1"},
	{"snowflake", `REGEXP_SUBSTR(x, $$it's \d$$)`, `REGEXP_SUBSTR(x, $$it's \d$$)`},
	{"mysql", `REGEXP_LIKE(x, '\\d''')`, `REGEXP_LIKE(x, '\\d''')`},
	{"postgres", `x = E'\t''a\'b'`, `x = E'\t''a\'b'`},
	{"duckdb", "CASE WHEN x = X'00' THEN $$a$$ END", "CASE WHEN x = X'00' THEN $$a$$ END"},
}

func TestNativeLiterals_ReadOnlyInTheirDialect(t *testing.T) {
	for _, c := range literalsOfDialects {
		e, err := ParseLimited(c.text, NativeLimits(c.dialect))
		if c.canonical == "" {
			if err == nil {
				t.Errorf("%s: read as %s", c.text, Format(e))
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := Format(e)
		if got != c.canonical || !IsNative(e) {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.canonical)
		}
		again, err := ParseLimited(got, NativeLimits(c.dialect))
		if err != nil || !Equal(e, again) {
			t.Errorf("%s: the canonical form %s reads back as %s, %v", c.text, got, Format(again), err)
		}
		for name, limits := range map[string]Limits{"a query": QueryLimits(), "a portable entry": ModelLimits(), "an entry of another dialect": NativeLimits("doris")} {
			if e, err := ParseLimited(c.text, limits); err == nil && (IsNative(e) != (name == "an entry of another dialect")) {
				t.Errorf("%s: %s may hold it, as %s", c.text, name, Format(e))
			}
		}
	}
}

// A decimal type without precision and scale has those of the warehouse, which the portable language widens.
func TestNativeTypes_DecimalsHaveTheScaleOfTheirDialect(t *testing.T) {
	for dialect, want := range map[string]string{
		"snowflake": "CAST(x AS NUMBER(38, 0))", "mysql": "CAST(x AS NUMBER(10, 0))", "duckdb": "CAST(x AS NUMBER(18, 3))", "postgres": "CAST(x AS NUMBER)", "": "CAST(x AS NUMBER)",
	} {
		e, err := ParseLimited("x::number", NativeLimits(dialect))
		if err != nil || Format(e) != want {
			t.Errorf("%s: %s, %v, want %s", dialect, Format(e), err, want)
		}
		if e, err = ParseLimited("x::number(5, 2)", NativeLimits(dialect)); err != nil || Format(e) != "CAST(x AS NUMBER(5, 2))" {
			t.Errorf("%s: %s, %v", dialect, Format(e), err)
		}
	}
}

// Texts without a backslash are those of the portable language in every dialect.
func TestNativeLiterals_PlainOnesArePortable(t *testing.T) {
	for _, dialect := range DialectNames() {
		const text = "x = 'it''s' AND y = :p"
		if e, err := ParseLimited(text, NativeLimits(dialect)); err != nil || IsNative(e) || Format(e) != text {
			t.Errorf("%s: %v, %v", dialect, e, err)
		}
	}
}

func TestNativeLiterals_RefusedWithAPosition(t *testing.T) {
	for _, c := range []struct {
		dialect, text string
		offset        int
	}{
		{"bigquery", `x = r'a\'`, 4}, {"bigquery", `x = r'''a''`, 4}, {"snowflake", "x || $$a$", 5}, {"snowflake", "1:a", 1}, {"snowflake", "x::text:a", 7},
		{"snowflake", "(a || b):c", 8}, {"snowflake", "x:a.'b'", 4}, {"snowflake", "x:a[b]", 4}, {"snowflake", "x:a[0", 5}, {"duckdb", "x:a", 1}, {"databricks", `r'a\'b'`, 5},
		{"clickhouse", "r'a'", 0}, {"mysql", `'a\'`, 0},
	} {
		e, err := ParseLimited(c.text, NativeLimits(c.dialect))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset {
			t.Errorf("%s %s: read as %v, %v, want offset %d", c.dialect, c.text, e, err, c.offset)
		}
	}
}
