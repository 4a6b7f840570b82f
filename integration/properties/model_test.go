package properties_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/integration/reference"
)

// model is a random model with its data.
type model struct {
	datasets  []*dataset
	relations []*relation
	metrics   []*metric
	calendar  *dataset // nil in most models
	views     []viewText
	// levelWindows are the windows over metrics at other levels.
	levelWindows []*metric
}

type dataset struct {
	name    string
	key     []string   // primary key, fields; may be empty
	unique  [][]string // unique keys
	primary string     // the declared time_dimension; "" for none
	columns []*col     // of the table
	fields  []*field
	rows    []reference.Row
	queried bool // the source is a query, not a table
	// calendar is the block of a calendar; "" for other datasets.
	calendar string
}

// col is a stored column.
type col struct {
	name    string
	sqlType string
}

// kind is the set of operations on a field's values.
type kind int

const (
	text kind = iota
	whole
	quarters // numbers with two binary digits after the point
	truth
	day
	moment
	zoned
	code // a key: numbers that mean nothing
)

var datatypes = map[kind]string{
	text: "String", whole: "Integer", quarters: "Decimal", truth: "Boolean", day: "Date", moment: "DateTime", zoned: "DateTimeTz", code: "Integer",
}

var sqlTypes = map[kind]string{
	text: "VARCHAR", whole: "INTEGER", quarters: "DECIMAL(12, 2)", truth: "BOOLEAN", day: "DATE", moment: "TIMESTAMP", zoned: "TIMESTAMPTZ", code: "INTEGER",
}

type field struct {
	name    string
	expr    string
	kind    kind
	payload string // of the extension, without its braces; "" for none
	typed   bool   // the document declares the datatype
	encoded string // the layout of a stored time code; "" for none
	params  []*param
	value   exactness
}

type relation struct {
	name         string
	from, to     *dataset
	fromF, toF   []string
	cardinality  string // as the document declares it; "" for silent
	inner        bool
	proves       string // what the keys and the declaration prove: many_to_one one_to_one many_to_many unproven
	viaExtension bool   // the cardinality stands in the extension
	valid        *validity
}

type metric struct {
	name    string
	expr    string
	payload string // of the extension, without its braces
	base    *aggregate
	filter  string // the condition of a filtered aggregate at parameter defaults; "" for none
	windows bool   // is, or is made of, a window
	homes   []*dataset
	params  []*param
	needs   []string // metrics that it names
	number  bool     // the value is a number
	value   exactness
	// snapshot is that of a semi-additive metric; nil for others.
	snapshot *snapshot
}

// exactness is how far two engines agree on a number, so that neither an order
// nor a condition is made of a difference in rounding.
type exactness int

const (
	exact    exactness = iota // integers and quarters, whose sums are exact
	rounded                   // one rounding: equal everywhere, but sums of it are not
	tolerant                  // depends on the order of additions
)

// aggregate is what a metric of one plain aggregate computes.
type aggregate struct {
	function string // SUM, COUNT, COUNT DISTINCT, AVG, MIN, MAX, or a statistic with %s in place of its argument
	arg      string
	home     *dataset
}

type param struct {
	name, kind string
	values     []string // JSON
	byDefault  string   // JSON; "" for none
}

func (m *model) dataset(name string) *dataset {
	for _, d := range m.datasets {
		if d.name == name {
			return d
		}
	}
	return nil
}

func (d *dataset) field(name string) *field {
	for _, f := range d.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// fieldsOf lists the fields of some kinds.
func (d *dataset) fieldsOf(kinds ...kind) []*field {
	var out []*field
	for _, f := range d.fields {
		for _, k := range kinds {
			if f.kind == k && f.encoded == "" {
				out = append(out, f)
			}
		}
	}
	return out
}

// timed reports whether the dataset has a primary time dimension.
func (d *dataset) timed() bool {
	times := 0
	for _, f := range d.fields {
		if f.isTime() {
			times++
		}
	}
	return times == 1 || d.primary != ""
}

// yaml writes the model as a document.
func (m *model) yaml() string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: random\n")
	if len(m.views) > 0 {
		fmt.Fprintf(&b, "    custom_extensions: [{vendor_name: SEMLAYER, data: %s}]\n", quote(`{"v": "1.10", "views": `+jsonOf(m.views)+`}`))
	}
	b.WriteString("    datasets:\n")
	for _, d := range m.tables() {
		d.write(&b)
	}
	if len(m.relations) > 0 {
		b.WriteString("    relationships:\n")
	}
	for _, r := range m.relations {
		r.write(&b)
	}
	if len(m.metrics) > 0 {
		b.WriteString("    metrics:\n")
	}
	for _, x := range m.metrics {
		fmt.Fprintf(&b, "      - {name: %s, expression: %s%s}\n", x.name, expression(x.expr), extension(x.payload))
	}
	return b.String()
}

func (d *dataset) write(b *strings.Builder) {
	source := `"t_` + d.name + `"`
	if d.queried {
		source = "SELECT * FROM t_" + d.name // unquoted: engines quote in different ways
	}
	fmt.Fprintf(b, "      - name: %s\n        source: %s\n", d.name, quote(source))
	if len(d.key) > 0 {
		fmt.Fprintf(b, "        primary_key: [%s]\n", strings.Join(d.key, ", "))
	}
	for i, u := range d.unique {
		if i == 0 {
			b.WriteString("        unique_keys:\n")
		}
		fmt.Fprintf(b, "          - [%s]\n", strings.Join(u, ", "))
	}
	if d.primary != "" {
		fmt.Fprintf(b, "        custom_extensions: [{vendor_name: SEMLAYER, data: %s}]\n", quote(`{"v": "1.9", "time_dimension": "`+d.primary+`"}`))
	}
	if d.calendar != "" {
		fmt.Fprintf(b, "        custom_extensions: [{vendor_name: SEMLAYER, data: %s}]\n", quote(`{"v": "1.10", "calendar": `+d.calendar+`}`))
	}
	b.WriteString("        fields:\n")
	for _, f := range d.fields {
		datatype := ""
		if f.typed {
			datatype = ", datatype: " + datatypes[f.kind]
		}
		fmt.Fprintf(b, "          - {name: %s, expression: %s%s%s}\n", f.name, expression(f.expr), datatype, extension(f.extension()))
	}
}

// extension returns the payload of a field, its parameters included.
func (f *field) extension() string {
	params := paramsOf(f.params)
	if f.payload == "" {
		params = strings.TrimPrefix(params, ", ")
	}
	return f.payload + params
}

func (r *relation) write(b *strings.Builder) {
	own, payload := "", ""
	switch {
	case r.cardinality != "" && r.viaExtension:
		payload = `"cardinality": "` + r.cardinality + `"`
	case r.cardinality != "":
		own = ", cardinality: " + r.cardinality
	}
	for _, key := range []struct {
		present bool
		text    string
	}{{r.inner, `"join_type": "inner"`}, {r.valid != nil, r.valid.text()}} {
		if key.present && payload != "" {
			payload += ", "
		}
		if key.present {
			payload += key.text
		}
	}
	fmt.Fprintf(b, "      - {name: %s, from: %s, to: %s, from_columns: [%s], to_columns: [%s]%s%s}\n",
		r.name, r.from.name, r.to.name, strings.Join(r.fromF, ", "), strings.Join(r.toF, ", "), own, extension(payload))
}

func expression(sql string) string {
	return "{dialects: [{dialect: ANSI_SQL, expression: " + quote(sql) + "}]}"
}

func extension(payload string) string {
	if payload == "" {
		return ""
	}
	return ", custom_extensions: [{vendor_name: SEMLAYER, data: " + quote(`{"v": "1.10", `+payload+`}`) + "}]"
}

// quote returns a text in YAML.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// dialectTypeNames are the types that a dialect calls something else.
var dialectTypeNames = map[string]map[string]string{
	"postgres": {"DOUBLE": "DOUBLE PRECISION"},
	"mariadb":  {"VARCHAR": "VARCHAR(40)", "TIMESTAMP": "DATETIME(6)", "TIMESTAMPTZ": "DATETIME(6)"},
	"mysql":    {"VARCHAR": "VARCHAR(40)", "TIMESTAMP": "DATETIME(6)", "TIMESTAMPTZ": "DATETIME(6)"},
	"tidb":     {"VARCHAR": "VARCHAR(40)", "TIMESTAMP": "DATETIME(6)", "TIMESTAMPTZ": "DATETIME(6)"},

	"sqlite":     {"TIMESTAMPTZ": "DATETIME"},
	"clickhouse": {"TIMESTAMPTZ": "DATETIME"},
}

func typeIn(dialect, sqlType string) string {
	if name := dialectTypeNames[dialect][sqlType]; name != "" {
		return name
	}
	return sqlType
}

// sql writes the tables and their rows for a dialect.
func (m *model) sql(dialect string) string {
	var b strings.Builder
	for _, d := range m.tables() {
		var columns []string
		for _, c := range d.columns {
			columns = append(columns, c.name+" "+typeIn(dialect, c.sqlType))
		}
		fmt.Fprintf(&b, "CREATE TABLE t_%s (%s);\n", d.name, strings.Join(columns, ", "))
		for i, r := range d.rows {
			if i == 0 {
				fmt.Fprintf(&b, "INSERT INTO t_%s VALUES\n", d.name)
			}
			var values []string
			for _, c := range d.columns {
				value := literal(r[c.name])
				if v, ok := r[c.name].(float64); ok && math.IsNaN(v) {
					value = nanIn(dialect)
				}
				if c.sqlType == "TIMESTAMPTZ" && typeIn(dialect, c.sqlType) != c.sqlType {
					value = strings.Replace(value, "Z'", "'", 1) // a type without a zone
				}
				values = append(values, value)
			}
			end := ",\n"
			if i == len(d.rows)-1 {
				end = ";\n"
			}
			b.WriteString("(" + strings.Join(values, ", ") + ")" + end)
		}
	}
	return b.String()
}

// nanIn returns what is not a number, or NULL in a dialect that stores none.
func nanIn(dialect string) string {
	if dialect == "duckdb" || dialect == "postgres" {
		return "CAST('NaN' AS DOUBLE PRECISION)"
	}
	return "NULL"
}

func literal(v reference.Value) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return quote(strings.Replace(reference.FormatValue(v), "T", " ", 1))
}

// data gives the rows to the reference.
func (m *model) data() reference.Data {
	out := reference.Data{}
	for _, d := range m.tables() {
		out[d.name] = d.rows
	}
	return out
}
