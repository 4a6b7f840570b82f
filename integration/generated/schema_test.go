package generated_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// randomTable is a table with its rows, and what a generator may find in it.
type randomTable struct {
	name    string
	columns []randomColumn
	rows    [][]string // literals
	// key is the column that is a key, "" if none is.
	key string
	// duplicate and null name a column that looks like a key and is not.
	planted string
	// references are the columns that point to another table, with the unmatched share
	// of their values in percent.
	references map[string]randomReference
}

type randomReference struct {
	table            string
	unmatchedPercent int
}

type randomColumn struct{ name, kind string }

// hostileNames are names of columns that are hard to write.
var hostileNames = []string{
	"order", "select", "Group", "Total Sales", `a"b`, "naïve", "Umsatz €", "x;y", "from", "a b", "a-b", "1st", "数量", "null", "count", "value", "CamelCase", "_x",
}

// randomSchema makes tables: some with keys, and one that refers to them.
func randomSchema(r *rand.Rand) []randomTable {
	names := []string{"bikes", "Cities", "order", "addresses", "line items", "naïve"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	const values = 100
	var out []randomTable
	parents := 1 + r.IntN(3)
	for i := range parents {
		t := randomTable{name: names[i]}
		t.key = stem(t.name) + "_id"
		rows := values
		switch r.IntN(4) {
		case 0:
			t.planted, t.key = t.key, "" // a duplicate
		case 1:
			rows = 0
			t.planted, t.key = t.key, "" // nothing is proven
		}
		t.columns = append(t.columns, randomColumn{stem(t.name) + "_id", "INTEGER"})
		t.addColumns(r)
		for n := range rows {
			id := n
			if t.planted != "" && n == rows-1 {
				id = 0
			}
			t.addRow(r, fmt.Sprint(id))
		}
		out = append(out, t)
	}
	child := randomTable{name: "trips", key: "trip_id", references: map[string]randomReference{}}
	child.columns = append(child.columns, randomColumn{"trip_id", "INTEGER"})
	var offsets []int
	for i := range parents {
		percent := []int{0, 3, 5, 6, 30}[r.IntN(5)]
		column := stem(out[i].name) + "_id"
		child.columns = append(child.columns, randomColumn{column, "INTEGER"})
		offsets = append(offsets, percent)
		child.references[column] = randomReference{out[i].name, percent}
	}
	child.addColumns(r)
	for n := range 3 * values {
		ids := []string{fmt.Sprint(n)}
		for _, offset := range offsets {
			ids = append(ids, fmt.Sprint(n%values+offset))
		}
		child.addRow(r, ids...)
	}
	return append(out, child)
}

// stem returns the identifier that the columns of other tables are named after.
func stem(name string) string {
	return map[string]string{
		"bikes": "bike", "Cities": "city", "order": "order", "addresses": "address", "line items": "line_item", "naïve": "na_ve",
	}[name]
}

func (t *randomTable) addColumns(r *rand.Rand) {
	kinds := []string{"INTEGER", "DECIMAL(10,2)", "DOUBLE PRECISION", "VARCHAR(20)", "DATE", "BOOLEAN"}
	names := slices.Clone(hostileNames)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = append([]string{"fare", "rating", "start_date", "kind"}, names...)
	for _, name := range names[:3+r.IntN(6)] {
		t.columns = append(t.columns, randomColumn{name, kinds[r.IntN(len(kinds))]})
	}
}

// addRow adds a row with values for the first columns and random ones for the others.
func (t *randomTable) addRow(r *rand.Rand, first ...string) {
	row := slices.Clone(first)
	for _, c := range t.columns[len(first):] {
		row = append(row, randomLiteral(r, c.kind))
	}
	t.rows = append(t.rows, row)
}

func randomLiteral(r *rand.Rand, kind string) string {
	if r.IntN(10) == 0 {
		return "NULL"
	}
	n := r.IntN(7)
	switch kind {
	case "INTEGER":
		return fmt.Sprint(n - 3)
	case "DECIMAL(10,2)":
		return fmt.Sprintf("%d.%02d", n, r.IntN(100))
	case "DOUBLE PRECISION":
		return fmt.Sprintf("%d.5", n) // a sum of these is exact
	case "DATE":
		return fmt.Sprintf("'2024-02-%02d'", n+1)
	case "BOOLEAN":
		return []string{"TRUE", "FALSE"}[n%2]
	}
	return fmt.Sprintf("'text %d'", n)
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// script makes the tables.
func script(list []randomTable) string {
	var b strings.Builder
	for _, t := range list {
		var columns []string
		for _, c := range t.columns {
			columns = append(columns, quoted(c.name)+" "+c.kind)
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (%s);\n", quoted(t.name), strings.Join(columns, ", "))
		for chunk := range slices.Chunk(t.rows, 100) {
			var rows []string
			for _, row := range chunk {
				rows = append(rows, "("+strings.Join(row, ", ")+")")
			}
			fmt.Fprintf(&b, "INSERT INTO %s VALUES %s;\n", quoted(t.name), strings.Join(rows, ", "))
		}
	}
	return b.String()
}
