package generate

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

const (
	// maxTypeSampleValues is how many values decide on the type of a column without one.
	maxTypeSampleValues = 1000
	// maxSampledTextLength is longer than the text of a timestamp.
	maxSampledTextLength = 40
	// maxEncodedDates is more than the days from 1900 to 2100.
	maxEncodedDates = 75_000
)

// WarehouseProver asks a warehouse. Each question is one statement that only reads.
type WarehouseProver struct {
	DB      executor.Executor
	Dialect *sqlemit.Dialect
	MaxRows int64 // 0 does not bound the rows of a question
}

var _ DataProver = WarehouseProver{}

// tableAlias is the table that a statement reads, other the one that it joins.
const (
	tableAlias       = "t"
	joinedTableAlias = "k"
)

func qualifiedColumnExpr(table, name string) *sqlexpr.Column {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: table, Quoted: true}, {Text: name, Quoted: true}}}
}

func newTableScan(t *tables.Table, as string) *plan.Scan {
	parts := []sqlexpr.Name{{Text: t.Name, Quoted: true}}
	if !t.InDefault {
		parts = append([]sqlexpr.Name{{Text: t.Schema, Quoted: true}}, parts...)
	}
	return &plan.Scan{Dataset: t.Name, Source: sqlexpr.DatasetTableOrQuery{Table: parts}, Alias: as}
}

func newCountCall(distinct bool, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: sqlexpr.FnCount, Distinct: distinct, Star: len(args) == 0, Args: args}
}

func namedExprOfIntegerType(name string, e sqlexpr.Expr) plan.NamedExpr {
	return plan.NamedExpr{Name: name, Expr: e, Type: sqlexpr.TypeInt}
}

// boundedRowsPlan returns a table that holds some columns of the first rows, one more than a question may
// read, so that a count shows whether there are more. The columns are named c0, c1 and so on.
func (q WarehouseProver) boundedRowsPlan(t *tables.Table, columns []string) plan.Node {
	p := &plan.Project{Input: newTableScan(t, tableAlias), Cols: []plan.NamedExpr{namedExprOfIntegerType("one", &sqlexpr.Number{Text: "1"})}}
	for i, c := range columns {
		p.Cols = append(p.Cols, plan.NamedExpr{Name: "c" + strconv.Itoa(i), Expr: qualifiedColumnExpr(tableAlias, c)})
	}
	var input plan.Node = p
	if q.MaxRows > 0 {
		input = &plan.Limit{Input: p, N: q.MaxRows + 1}
	}
	return &plan.Derived{Input: input, Alias: tableAlias}
}

// coversWholeTable reports whether a count of rows is that of the whole table.
func (q WarehouseProver) coversWholeTable(rows int64) bool {
	return q.MaxRows == 0 || rows <= q.MaxRows
}

// CountKeys implements Proofs.
func (q WarehouseProver) CountKeys(ctx context.Context, t *tables.Table, candidates []string) (KeyCounts, error) {
	a := &plan.Aggregate{Input: q.boundedRowsPlan(t, candidates), Measures: []plan.NamedExpr{namedExprOfIntegerType("n", newCountCall(false))}}
	for i := range candidates {
		c := qualifiedColumnExpr(tableAlias, "c"+strconv.Itoa(i))
		a.Measures = append(a.Measures, namedExprOfIntegerType("v"+strconv.Itoa(i), newCountCall(false, c)), namedExprOfIntegerType("d"+strconv.Itoa(i), newCountCall(true, c)))
	}
	rows, err := q.queryIntegers(ctx, a)
	if err != nil {
		return KeyCounts{}, err
	}
	k := KeyCounts{Rows: rows[0][0], Complete: q.coversWholeTable(rows[0][0])}
	for i := range candidates {
		k.Values = append(k.Values, rows[0][1+2*i])
		k.Distinct = append(k.Distinct, rows[0][2+2*i])
	}
	return k, nil
}

// FindDuplicate implements DataProver. The order makes the result the same in each run.
func (q WarehouseProver) FindDuplicate(ctx context.Context, t *tables.Table, columns []string) ([]string, int64, error) {
	grouped := &plan.Aggregate{Input: q.boundedRowsPlan(t, columns), Measures: []plan.NamedExpr{namedExprOfIntegerType("n", newCountCall(false))}}
	keys := []plan.SortKey{{Col: len(columns), Desc: true}}
	for i := range columns {
		name := "c" + strconv.Itoa(i)
		grouped.Keys = append(grouped.Keys, plan.NamedExpr{Name: name, Expr: qualifiedColumnExpr(tableAlias, name)})
		keys = append(keys, plan.SortKey{Col: i})
	}
	rows, err := q.queryRowsAsText(ctx, &plan.Limit{N: 1, Input: &plan.Sort{Input: grouped, Keys: keys}})
	if err != nil || len(rows) == 0 {
		return nil, 0, err
	}
	n, err := strconv.ParseInt(rows[0][len(columns)], 10, 64)
	return rows[0][:len(columns)], n, err
}

// textSamplePrefix begins each text of a sample, so that an empty text is not a null.
const textSamplePrefix = "="

// SampleTexts implements DataProver.
func (q WarehouseProver) SampleTexts(ctx context.Context, t *tables.Table, columns []string) ([][]*string, error) {
	sample := &plan.Project{Input: newTableScan(t, tableAlias)}
	for i, c := range columns {
		text := &sqlexpr.Cast{X: qualifiedColumnExpr(tableAlias, c), To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
		start := &sqlexpr.Call{Fn: sqlexpr.FnSubstring, Args: []sqlexpr.Expr{text, &sqlexpr.Number{Text: "1"}, &sqlexpr.Number{Text: strconv.Itoa(maxSampledTextLength)}}}
		sample.Cols = append(sample.Cols, plan.NamedExpr{
			Name: "c" + strconv.Itoa(i), Expr: &sqlexpr.Binary{Op: sqlexpr.OpConcat, L: &sqlexpr.String{Value: textSamplePrefix}, R: start},
		})
	}
	rows, err := q.queryRowsAsText(ctx, &plan.Limit{N: maxTypeSampleValues, Input: sample})
	if err != nil {
		return nil, err
	}
	out := make([][]*string, len(rows))
	for i, row := range rows {
		out[i] = make([]*string, len(row))
		for j, text := range row {
			if value, ok := strings.CutPrefix(text, textSamplePrefix); ok {
				out[i][j] = &value
			}
		}
	}
	return out, nil
}

// distinctValuesPlan holds the distinct values of a column that are not null, as c0.
func distinctValuesPlan(t *tables.Table, name string, most int64) plan.Node {
	c := qualifiedColumnExpr(tableAlias, name)
	var node plan.Node = &plan.Aggregate{
		Input: &plan.Filter{Input: newTableScan(t, tableAlias), Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: c}}},
		Keys:  []plan.NamedExpr{{Name: "c0", Expr: c}},
	}
	if most > 0 {
		node = &plan.Limit{Input: node, N: most}
	}
	return node
}

// CountUnmatchedValues implements Proofs.
func (q WarehouseProver) CountUnmatchedValues(ctx context.Context, from *tables.Table, name string, to *tables.Table, key string) (KeyContainment, error) {
	most := q.MaxRows
	if most > 0 {
		most++
	}
	join := &plan.Join{
		Left:  &plan.Derived{Input: distinctValuesPlan(from, name, most), Alias: tableAlias},
		Right: newTableScan(to, joinedTableAlias),
		Kind:  plan.LeftJoin,
		On:    []plan.JoinEquality{{Left: qualifiedColumnExpr(tableAlias, "c0"), Right: qualifiedColumnExpr(joinedTableAlias, key)}},
	}
	rows, err := q.queryIntegers(ctx, &plan.Aggregate{Input: join, Measures: []plan.NamedExpr{
		namedExprOfIntegerType("n", newCountCall(false)), namedExprOfIntegerType("m", newCountCall(false, qualifiedColumnExpr(joinedTableAlias, key))),
	}})
	if err != nil {
		return KeyContainment{}, err
	}
	n, matched := rows[0][0], rows[0][1]
	return KeyContainment{Values: n, Unmatched: n - matched, Complete: q.coversWholeTable(n)}, nil
}

// ListIntegerValues implements Proofs.
func (q WarehouseProver) ListIntegerValues(ctx context.Context, t *tables.Table, name string) ([]string, bool, error) {
	table := q.boundedRowsPlan(t, []string{name})
	grouped := &plan.Aggregate{
		Input:    table,
		Keys:     []plan.NamedExpr{{Name: "c0", Expr: qualifiedColumnExpr(tableAlias, "c0")}},
		Measures: []plan.NamedExpr{namedExprOfIntegerType("n", newCountCall(false))},
	}
	rows, err := q.queryRowsAsText(ctx, &plan.Limit{Input: grouped, N: maxEncodedDates})
	if err != nil {
		return nil, false, err
	}
	var values []string
	total := int64(0)
	for _, row := range rows {
		n, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			return nil, false, err
		}
		total += n
		if row[0] != "" {
			values = append(values, row[0])
		}
	}
	return values, len(rows) < maxEncodedDates && q.coversWholeTable(total), nil
}

// ColumnValueType implements Proofs. Only SQLite has columns without a type.
func (q WarehouseProver) ColumnValueType(ctx context.Context, t *tables.Table, name string) (tables.Datatype, error) {
	c := qualifiedColumnExpr(tableAlias, name)
	rows, err := q.queryRowsAsText(ctx, &plan.Limit{N: maxTypeSampleValues, Input: &plan.Project{
		Input: &plan.Filter{Input: newTableScan(t, tableAlias), Conds: []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: c}}},
		Cols:  []plan.NamedExpr{{Name: "c0", Expr: &sqlexpr.Call{Name: sqlexpr.Name{Text: "typeof"}, Args: []sqlexpr.Expr{c}}}},
	}})
	if err != nil {
		return tables.DatatypeUndeclared, err
	}
	found := tables.DatatypeUndeclared
	for _, row := range rows {
		d := datatypeOfSQLiteClass(row[0])
		if found != tables.DatatypeUndeclared && d != found {
			return tables.DatatypeOpaque, nil
		}
		found = d
	}
	if found == tables.DatatypeUndeclared {
		return tables.DatatypeOpaque, nil
	}
	return found, nil
}

// datatypeOfSQLiteClass returns the datatype of a value that SQLite stores as a class.
func datatypeOfSQLiteClass(class string) tables.Datatype {
	switch class {
	case "integer":
		return tables.DatatypeInteger
	case "real":
		return tables.DatatypeFloat
	case "text":
		return tables.DatatypeString
	}
	return tables.DatatypeOpaque
}

// queryIntegers runs a statement whose columns are integers and returns its rows, at least one.
func (q WarehouseProver) queryIntegers(ctx context.Context, root plan.Node) ([][]int64, error) {
	rows, err := q.queryRowsAsText(ctx, root)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("a count has no row")
	}
	out := make([][]int64, len(rows))
	for i, row := range rows {
		for _, text := range row {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], n)
		}
	}
	return out, nil
}

// queryRowsAsText runs a statement and returns its rows as text, a null as "".
func (q WarehouseProver) queryRowsAsText(ctx context.Context, root plan.Node) (out [][]string, err error) {
	sql, err := sqlemit.Emit(ctx, root, q.Dialect, sqlemit.FormatOptions{})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, tables.CatalogStatementTimeout)
	defer cancel()
	rows, err := q.DB.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	err = executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		for i := range int(batch.NumRows()) {
			row := make([]string, batch.NumCols())
			for j, c := range batch.Columns() {
				if !c.IsNull(i) {
					row[j] = strings.Clone(c.ValueStr(i))
				}
			}
			out = append(out, row)
		}
		return nil
	})
	return out, err
}
