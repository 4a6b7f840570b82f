package sqlexpr

import (
	"slices"
	"strings"
)

// dialectFacts are what models and queries know of a dialect: its names in small letters, and how its texts are read.
type dialectFacts struct {
	name    string
	aliases []string
	// doubleQuotedTexts: a part in double quotes is a text, and not a name.
	doubleQuotedTexts bool
	native            nativeSpelling
}

// nativeSpelling is what only texts of a dialect may hold.
type nativeSpelling struct {
	// backslashEscapes: a backslash in a text literal escapes the next character.
	backslashEscapes bool
	// rawBackslashes: a backslash in a raw literal keeps the quote behind it from ending the literal.
	rawBackslashes bool
	// prefixes are the words that may come before a literal, in lower case.
	prefixes []string
	// doubleQuotes: a literal with a prefix may have double quotes, and three quotes at each end.
	doubleQuotes bool
	// dollarQuotes: $$…$$ is a text literal.
	dollarQuotes bool
	// decimalArgs are precision and scale of a decimal type that is written without them, nil where the portable language has the same.
	decimalArgs []int
	// colonPaths: x:a.b is a part of a semi-structured value.
	colonPaths bool
}

// dialects has a row for each dialect. The engines of the other names of postgres speak its language over its protocol.
var dialects = []dialectFacts{
	{name: "duckdb", native: nativeSpelling{prefixes: []string{"e", "x"}, dollarQuotes: true, decimalArgs: []int{18, 3}}},
	{name: "postgres", aliases: []string{"postgresql", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb"}, native: nativeSpelling{prefixes: []string{"e", "b", "x"}, dollarQuotes: true}},
	{name: "redshift", native: nativeSpelling{prefixes: []string{"e"}, decimalArgs: []int{18, 0}}},
	{name: "mysql", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, prefixes: []string{"n", "x", "b"}, decimalArgs: []int{10, 0}}},
	{name: "mariadb", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, prefixes: []string{"n", "x", "b"}, decimalArgs: []int{10, 0}}},
	{name: "tidb", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, prefixes: []string{"n", "x", "b"}, decimalArgs: []int{10, 0}}},
	{name: "starrocks", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, prefixes: []string{"x"}}},
	{name: "doris", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true}},
	{name: "sqlite", aliases: []string{"sqlite3"}, native: nativeSpelling{prefixes: []string{"x"}}},
	{name: "clickhouse", native: nativeSpelling{backslashEscapes: true}},
	{name: "trino", aliases: []string{"presto"}, native: nativeSpelling{prefixes: []string{"x"}, decimalArgs: []int{38, 0}}},
	{name: "snowflake", native: nativeSpelling{backslashEscapes: true, prefixes: []string{"x"}, dollarQuotes: true, colonPaths: true, decimalArgs: []int{38, 0}}},
	{name: "bigquery", doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, rawBackslashes: true, prefixes: []string{"r", "b", "rb", "br"}, doubleQuotes: true}},
	{name: "databricks", aliases: []string{"spark"}, doubleQuotedTexts: true, native: nativeSpelling{backslashEscapes: true, prefixes: []string{"r", "x"}, doubleQuotes: true, colonPaths: true, decimalArgs: []int{10, 0}}},
	{name: "ansi_sql", aliases: []string{"ansi"}},
}

// findDialect returns the row of a dialect; nil where none has the name.
func findDialect(name string) *dialectFacts {
	for i := range dialects {
		if dialects[i].name == name {
			return &dialects[i]
		}
	}
	return nil
}

// canonicalDialects has the names of the dialects and their other names, in small letters and in capitals: each expression of a model names
// its dialect.
var canonicalDialects = func() map[string]string {
	out := map[string]string{}
	for _, d := range dialects {
		for _, name := range append([]string{d.name}, d.aliases...) {
			out[name], out[strings.ToUpper(name)] = d.name, d.name
		}
	}
	return out
}()

// CanonicalDialect returns the name of a dialect that a model or a user names, in any case. The name of one that is not known is returned in
// small letters.
func CanonicalDialect(name string) string {
	if known, ok := canonicalDialects[name]; ok {
		return known
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if known, ok := canonicalDialects[name]; ok {
		return known
	}
	return name
}

// DialectNames lists the dialects that models can name and whose texts are known, ansi_sql last.
func DialectNames() []string {
	out := make([]string, len(dialects))
	for i := range dialects {
		out[i] = dialects[i].name
	}
	return out
}

// DialectAliases returns the other names of a dialect.
func DialectAliases(name string) []string {
	if d := findDialect(name); d != nil {
		return slices.Clone(d.aliases)
	}
	return nil
}

// HasDoubleQuotedTexts reports whether a part of SQL in double quotes is a text in a dialect, and not a name.
func HasDoubleQuotedTexts(dialect string) bool {
	d := findDialect(CanonicalDialect(dialect))
	return d != nil && d.doubleQuotedTexts
}
