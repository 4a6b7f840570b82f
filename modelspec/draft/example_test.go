package draft_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// A generator writes a dataset with a key that it could not prove.
func ExamplePrintModel() {
	m := &draft.Model{
		Comments: []string{"yaml-language-server: $schema=model.schema.json"},
		Name:     "shop",
		Datasets: []*draft.Dataset{{
			Name: "orders", Source: "orders", TimeDimension: "ordered_on",
			PrimaryKey: draft.KeyDeclaration{Columns: []string{"order_id"}, Note: "no duplicate in the first 1000000 rows; not proven", CommentedOut: true},
			Fields: []*draft.Field{
				{Name: "order_id", Expression: draft.ANSIExpression("order_id"), Datatype: "Integer"},
				{Name: "ordered_on", Expression: draft.ANSIExpression("ordered_on"), Role: draft.FieldRoleTime, Datatype: "Date"},
			},
		}},
		Metrics: []*draft.Metric{{Name: "orders_count", Expression: draft.ANSIExpression("COUNT(*)"), Extension: draft.MetricExtension{Dataset: "orders"}}},
	}
	fmt.Print(string(draft.PrintModel(m)))
	// Output:
	// # yaml-language-server: $schema=model.schema.json
	// version: 0.2.0.dev0
	// semantic_model:
	//   - name: shop
	//     datasets:
	//       - name: orders
	//         source: orders
	//         # primary_key: [order_id]  # no duplicate in the first 1000000 rows; not proven
	//         fields:
	//           - name: order_id
	//             expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}
	//             datatype: Integer
	//           - name: ordered_on
	//             expression: {dialects: [{dialect: ANSI_SQL, expression: ordered_on}]}
	//             dimension: {is_time: true}
	//             datatype: Date
	//         custom_extensions:
	//           - vendor_name: SEMLAYER
	//             data: '{"v": "1.10", "time_dimension": "ordered_on"}'
	//     metrics:
	//       - name: orders_count
	//         expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}
	//         custom_extensions:
	//           - vendor_name: SEMLAYER
	//             data: '{"v": "1.10", "dataset": "orders"}'
}
