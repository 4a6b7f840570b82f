package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// expand turns the short notation of the tests into a model: the line
//
//	~ name: expression
//
// stands for `- name: name` with an ANSI_SQL entry, and lines that follow it
// with deeper indentation belong to the same object. A line
//
//	@ json
//
// stands for a custom extension.
func expand(short string) string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: shop\n")
	for _, line := range strings.Split(short, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		indent := strings.Repeat(" ", len(line)-len(trimmed))
		switch {
		case strings.HasPrefix(trimmed, "~ "):
			name, expression, _ := strings.Cut(trimmed[2:], ": ")
			fmt.Fprintf(&b, "%s- name: %s\n%s  expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}\n",
				indent, name, indent, quoted(expression))
		case strings.HasPrefix(trimmed, "@ "):
			fmt.Fprintf(&b, "%scustom_extensions: [{vendor_name: SEMLAYER, data: %s}]\n", indent, quoted(trimmed[2:]))
		default:
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func load(t *testing.T, text string) *modelspec.Document {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// validated lists the findings about a document.
func validated(tb testing.TB, doc *modelspec.Document) []modelspec.Issue {
	tb.Helper()
	issues, err := modelspec.Validate(tb.Context(), doc)
	if err != nil {
		tb.Fatal(err)
	}
	return issues
}

// catalogOf compiles a document.
func catalogOf(tb testing.TB, doc *modelspec.Document, opts compile.Options) *catalog.Catalog {
	tb.Helper()
	cat, err := compile.Compile(tb.Context(), doc, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return cat
}

// compiled compiles a model in short notation, which must be valid.
func compiled(t *testing.T, short string) *catalog.Catalog {
	t.Helper()
	doc := load(t, expand(short))
	if issues := validated(t, doc); modelspec.HasErrors(issues) {
		t.Fatalf("invalid: %v\n%s", issues, expand(short))
	}
	return catalogOf(t, doc, compile.Options{})
}

// sound compiles a model that must have no errors.
func sound(t *testing.T, short string) *catalog.Catalog {
	t.Helper()
	c := compiled(t, short)
	for _, e := range c.Errors {
		t.Errorf("unexpected error: %v", e)
	}
	if t.Failed() {
		t.FailNow()
	}
	return c
}

// listed renders errors as "code location".
func listed(errors []*modelspec.CompileError) []string {
	var out []string
	for _, e := range errors {
		out = append(out, e.Code+" "+e.Location)
	}
	return out
}

func warned(warnings []*modelspec.CompileWarning) []string {
	var out []string
	for _, w := range warnings {
		out = append(out, w.Code+" "+w.Location)
	}
	return out
}

// show prints an expression of the catalog with the names of what its
// references stand for.
func show(c *catalog.Catalog, e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(sqlexpr.Rewrite(e, func(n sqlexpr.Expr) sqlexpr.Expr {
		if ref, ok := n.(*sqlexpr.Ref); ok {
			return named(c.FieldByID(ref.ID).QualifiedName())
		}
		return nil
	}))
}

func named(qualified string) *sqlexpr.Column {
	column := &sqlexpr.Column{}
	for _, part := range strings.Split(qualified, ".") {
		column.Path = append(column.Path, sqlexpr.Name{Text: part})
	}
	return column
}

// showForm prints a metric's arithmetic: measures as {name = AGG(arg)}, metrics
// by name.
func showForm(c *catalog.Catalog, form *catalog.ArithmeticOverOperands) string {
	if form == nil {
		return "<nil>"
	}
	text := sqlexpr.Format(form.Expr)
	for i, o := range form.Operands {
		var shown string
		switch o := o.(type) {
		case *catalog.Measure:
			shown = fmt.Sprintf("{%s = %s(%s) at %s}", o.Name, o.Agg, show(c, o.Arg), o.Home.Name)
		case *catalog.Metric:
			shown = o.Name
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("<ref %d>", i), shown)
	}
	return text
}

// shop is a small retail model without metrics.
const shop = `
datasets:
  - name: orders
    source: main.orders
    primary_key: [order_id]
    fields:
      ~ order_id: order_id
      ~ customer_id: customer_id
      ~ product_id: product_id
      ~ order_date: order_date
        datatype: Date
      ~ status: status
        datatype: String
        dimension: {}
      ~ amount: amount
        datatype: Decimal
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      ~ customer_id: customer_id
      ~ region: region
      ~ signup_date: signup_date
        datatype: Date
  - name: products
    source: products
    primary_key: [product_id]
    fields:
      ~ product_id: product_id
      ~ category: category
      ~ unit_cost: unit_cost
        datatype: Integer
relationships:
  - {name: orders_to_customers, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
  - {name: orders_to_products, from: orders, to: products, from_columns: [product_id], to_columns: [product_id]}
`
