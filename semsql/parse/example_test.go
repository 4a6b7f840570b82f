package parse_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/semsql/parse"
)

// Walk finds the columns that a statement names.
func ExampleWalk() {
	column := func(path ...string) *parse.Column {
		c := &parse.Column{}
		for _, part := range path {
			c.Path = append(c.Path, parse.Name{Text: part})
		}
		return c
	}
	// SELECT region, MEASURE(revenue) FROM shop WHERE customers.country = 'PT' GROUP BY region
	query := &parse.Query{Body: &parse.Select{
		Items:   []*parse.SelectItem{{X: column("region")}, {X: &parse.MeasureCall{Metric: column("revenue")}}},
		From:    []parse.Relation{&parse.Table{Path: []parse.Name{{Text: "shop"}}}},
		Where:   &parse.Binary{Op: parse.OpEq, L: column("customers", "country"), R: &parse.String{Value: "PT"}},
		GroupBy: []parse.Expr{column("region")},
	}}
	parse.Walk(query, func(n parse.Node) bool {
		if c, ok := n.(*parse.Column); ok {
			fmt.Println(c.Path[len(c.Path)-1].Text)
		}
		return true
	})
	// Output:
	// region
	// revenue
	// country
	// region
}

func ExampleParse() {
	query, err := parse.Parse("select c.region, sum(o.amount) as total from orders o join customers c using (customer_id) group by 1", parse.DefaultLimits())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parse.Format(query))
	_, err = parse.Parse("SELECT region FROM shop WHERE region SIMILAR TO 'e%'", parse.DefaultLimits())
	var e *parse.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.SQLState, e.Position, e.Message)
	}
	// Output:
	// SELECT c.region, SUM(o.amount) AS total FROM orders AS o INNER JOIN customers AS c USING (customer_id) GROUP BY 1
	// sql_unsupported 0A000 38 SIMILAR TO is not supported
}
