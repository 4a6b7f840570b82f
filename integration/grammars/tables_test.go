package grammars

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-googlesql"
)

var createTable = regexp.MustCompile(`(?s)CREATE TABLE\s+("[^"]+"|\S+)\s*\((.*?)\);`)

// analyzer resolves statements against the tables of one data.sql.
type analyzer struct {
	options *googlesql.AnalyzerOptions
	types   *googlesql.TypeFactory
	catalog *googlesql.SimpleCatalog
}

// analyzerOf makes the tables of a data.sql known, with BigQuery's types for theirs.
func analyzerOf(t *testing.T, sql string) *analyzer {
	t.Helper()
	language := must(googlesql.NewLanguageOptions())(t)
	check(t, language.EnableMaximumLanguageFeatures())
	check(t, language.SetProductMode(googlesql.ProductModeProductExternal))
	check(t, language.EnableReservableKeyword("QUALIFY", true))
	a := &analyzer{
		options: must(googlesql.NewAnalyzerOptions2())(t),
		types:   must(googlesql.NewTypeFactory())(t),
		catalog: must(googlesql.NewSimpleCatalog("corpus", nil))(t),
	}
	check(t, a.options.SetLanguage(language))
	check(t, a.catalog.AddBuiltinFunctionsAndTypes(&googlesql.BuiltinFunctionOptions{LanguageOptions: language}))
	for _, m := range createTable.FindAllStringSubmatch(sql, -1) {
		name := unquoted(m[1])
		table := must(googlesql.NewSimpleTable(name, 0))(t)
		for _, column := range columns(m[2]) {
			x := must(googlesql.NewSimpleColumn(name, column.name, a.typeOf(t, column.typ), false, true))(t)
			check(t, table.AddColumn2(x, false))
		}
		check(t, a.catalog.AddTable(table))
	}
	return a
}

// resolve returns the analyzer's error for a statement; it ends with the position.
func (a *analyzer) resolve(sql string) error {
	_, err := googlesql.AnalyzeStatement(sql, a.options, a.catalog, a.types)
	return err
}

// typeOf is BigQuery's type for one of the data: a TIMESTAMP there is an instant, and
// the wall clock is a DATETIME.
func (a *analyzer) typeOf(t *testing.T, name string) googlesql.Googlesql_TypeNode {
	t.Helper()
	get := map[string]func() (googlesql.Googlesql_TypeNode, error){
		"INTEGER": a.types.GetInt64, "BIGINT": a.types.GetInt64, "DECIMAL": a.types.GetNumeric,
		"DOUBLE PRECISION": a.types.GetDouble, "BOOLEAN": a.types.GetBool, "VARCHAR": a.types.GetString,
		"DATE": a.types.GetDate, "TIMESTAMP": a.types.GetDatetime, "TIMESTAMP WITH TIME ZONE": a.types.GetTimestamp,
	}[name]
	if get == nil {
		t.Fatalf("no type of BigQuery is told for %s", name)
	}
	return must(get())(t)
}

type column struct{ name, typ string }

var (
	inBrackets = regexp.MustCompile(`\([^()]*\)`)
	columnForm = regexp.MustCompile(`^("(?:[^"]|"")+"|\w+)\s+(.+)$`)
	// Words that may follow a type and are not part of it.
	afterType = regexp.MustCompile(`\s+(NOT )?NULL.*$|\s+PRIMARY KEY.*$`)
)

// columns reads the body of a CREATE TABLE.
func columns(body string) []column {
	var out []column
	for _, part := range strings.Split(inBrackets.ReplaceAllString(body, ""), ",") {
		m := columnForm.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || strings.HasPrefix(m[0], "PRIMARY KEY") {
			continue
		}
		out = append(out, column{unquoted(m[1]), strings.ToUpper(afterType.ReplaceAllString(m[2], ""))})
	}
	return out
}

func unquoted(name string) string {
	if inner, ok := strings.CutPrefix(name, `"`); ok {
		return strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `""`, `"`)
	}
	return name
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](x T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		check(t, err)
		return x
	}
}
