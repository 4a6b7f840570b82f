package expressions

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// theRow returns the query of the one row that the table's columns name.
func theRow(dialect string) string {
	q := `SELECT CAST(7 AS INTEGER) AS i, CAST(NULL AS INTEGER) AS z, CAST(12.50 AS DECIMAL(10, 2)) AS n,
		CAST(2.5 AS DOUBLE PRECISION) AS f, CAST('it''s 50%_\' AS VARCHAR(50)) AS s, CAST('' AS VARCHAR(50)) AS e,
		CAST('  pad  ' AS VARCHAR(50)) AS w, CAST('2024-01-31' AS DATE) AS d,
		CAST('2024-03-05 14:35:10.25' AS TIMESTAMP) AS ts, CAST('2024-01-01 01:30:00+02:00' AS TIMESTAMPTZ) AS tz,
		TRUE AS b, FALSE AS c, CAST(NULL AS BOOLEAN) AS u, CAST(NULL AS DATE) AS dz, CAST(NULL AS VARCHAR(50)) AS sz,
		CAST(-7 AS INTEGER) AS neg, CAST('a,b,,d' AS VARCHAR(50)) AS path`
	switch dialect {
	case "mariadb", "mysql":
		return mysqlFamily.Replace(q)
	case "clickhouse":
		return clickhouseTypes.Replace(q)
	case "sqlite":
		return sqliteCast.ReplaceAllString(strings.ReplaceAll(q, "2024-01-01 01:30:00+02:00", "2023-12-31 23:30:00"), "$1")
	}
	return q
}

var mysqlFamily = strings.NewReplacer(
	`\`, `\\`, "INTEGER", "SIGNED", "DOUBLE PRECISION", "DOUBLE", "VARCHAR", "CHAR", "CAST(NULL AS BOOLEAN)", "(NULL IS NULL) = NULL",
	"2024-01-01 01:30:00+02:00", "2023-12-31 23:30:00", "TIMESTAMPTZ", "DATETIME(6)", "TIMESTAMP", "DATETIME(6)",
)

var clickhouseTypes = strings.NewReplacer(
	`\`, `\\`, "INTEGER", "Nullable(Int32)", "DECIMAL(10, 2)", "Nullable(Decimal(10, 2))", "DOUBLE PRECISION", "Nullable(Float64)", "VARCHAR(50)", "Nullable(String)",
	"BOOLEAN", "Nullable(Bool)", "TIMESTAMPTZ", "Nullable(DateTime64(6, 'UTC'))", "TIMESTAMP", "Nullable(DateTime64(6, 'UTC'))", "AS DATE)", "AS Nullable(Date32))",
	"2024-01-01 01:30:00+02:00", "2023-12-31 23:30:00", "TRUE AS b, FALSE AS c", "CAST(TRUE AS Nullable(Bool)) AS b, CAST(FALSE AS Nullable(Bool)) AS c",
)

// sqliteCast is a cast of the row, which would make a number of a date.
var sqliteCast = regexp.MustCompile(`CAST\(('(?:[^']|'')*'|[^ ]+) AS [^()]*(?:\([^()]*\))?\)`)

// declared returns the types that a model would declare for the columns.
func declared(e sqlexpr.Expr) sqlexpr.Type {
	column, ok := e.(*sqlexpr.Column)
	if !ok {
		return sqlexpr.TypeUnknown
	}
	switch column.Path[len(column.Path)-1].Text {
	case "i", "z", "neg":
		return sqlexpr.TypeInt
	case "n":
		return sqlexpr.TypeDecimal
	case "f":
		return sqlexpr.TypeFloat
	case "s", "e", "w", "sz", "path":
		return sqlexpr.TypeString
	case "d", "dz":
		return sqlexpr.TypeDate
	case "ts":
		return sqlexpr.TypeTimestamp
	case "tz":
		return sqlexpr.TypeTimestampTZ
	case "b", "c", "u":
		return sqlexpr.TypeBool
	}
	return sqlexpr.TypeUnknown
}

// statement selects one expression from the row.
func statement(text string, d *sqlemit.Dialect) (string, error) {
	return statementOver(theRow(d.Name()), text, d)
}

// statementOver selects one expression from a query.
func statementOver(query, text string, d *sqlemit.Dialect) (string, error) {
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return "", err
	}
	e = sqlexpr.ResolveOperatorTypes(special(e), declared)
	scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Query: query}, Alias: "t"}
	var root plan.Node = &plan.Project{Input: scan, Cols: []plan.NamedExpr{{Name: "x", Expr: e}}}
	if sqlexpr.HasAggregate(e) {
		root = &plan.Aggregate{Input: scan, Measures: []plan.NamedExpr{{Name: "x", Expr: e}}}
	}
	return sqlemit.Emit(context.Background(), root, d, sqlemit.FormatOptions{})
}

// special puts the nodes without source syntax in place: _bucket(grain, type,
// x), _ordinal(grain, x) and _decode(format, stored, x).
func special(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Call)
		if !ok || !strings.HasPrefix(c.Name.Text, "_") {
			return nil
		}
		word := func(i int) string { return c.Args[i].(*sqlexpr.String).Value }
		of := special(c.Args[len(c.Args)-1])
		switch c.Name.Text {
		case "_bucket":
			return &sqlexpr.Bucket{Grain: grainNamed(word(0)), From: typeNamed(word(1)), X: of}
		case "_ordinal":
			return &sqlexpr.BucketOrdinal{Grain: grainNamed(word(0)), X: of}
		case "_decode":
			return &sqlexpr.DecodeTimeCodeExpr{Code: timeCode(word(0), word(1) == "number"), X: of}
		}
		return nil
	})
}

func grainNamed(name string) sqlexpr.Grain {
	g, ok := sqlexpr.ParseGrain(name)
	if !ok {
		panic(fmt.Sprintf("%q is no grain", name))
	}
	return g
}

func typeNamed(name string) sqlexpr.Type {
	for t := sqlexpr.TypeUnknown; t <= sqlexpr.TypeInterval; t++ {
		if t.String() == name {
			return t
		}
	}
	panic(fmt.Sprintf("%q is no type", name))
}

func timeCode(format string, numeric bool) *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: format, Numeric: numeric}
	if unit, ok := strings.CutPrefix(format, "epoch_"); ok {
		code.Epoch = unit
		return code
	}
	for i := 0; i < len(format); {
		step := 1
		for _, token := range []string{"yyyy", "MM", "dd", "HH", "mm", "ss", "Q", "ww"} {
			if strings.HasPrefix(format[i:], token) {
				code.Fields = append(code.Fields, sqlexpr.TimeLayoutField{Token: token, Start: i + 1, Len: len(token)})
				step = len(token)
			}
		}
		i += step
	}
	return code
}
