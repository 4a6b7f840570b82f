// Package oracle is a PostgreSQL 15 with the relations of a model as empty tables, against which the
// catalogue is compared, and a proxy that records what clients ask it.
package oracle

import "github.com/semlayer/semlayer/engine"

// Database, User and Password are those of the sessions.
const (
	Database = "shop"
	User     = "me"
	Password = "secret"
)

// Description is the comment on the database and on the relation of the whole model.
const Description = "Orders of a shop"

// Relations are the tables: keys of one and of several columns, foreign keys, comments, every type, and names
// that need quotes.
func Relations() []engine.RelationInfo {
	return []engine.RelationInfo{orders(), customers(), products(), orderItems(), events(), wide()}
}

func column(name, typ, description string) engine.RelationColumn {
	return engine.RelationColumn{Name: name, Type: typ, Description: description}
}

func key(name, typ string) engine.RelationColumn {
	return engine.RelationColumn{Name: name, Type: typ, NotNull: true}
}

func primary(name string, columns ...string) engine.RelationKey {
	return engine.RelationKey{Name: name, Primary: true, Columns: columns}
}

func orders() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "orders", Description: "One row for each order",
		Columns: []engine.RelationColumn{
			key("order_id", "bigint"), column("customer_id", "bigint", ""), column("product_id", "bigint", "What was bought"),
			column("order_date", "date", ""), column("status", "text", "completed or cancelled"), column("amount", "numeric", ""),
			column("revenue", "numeric", "The sum of amounts"), column("order_count", "bigint", ""),
		},
		Keys: []engine.RelationKey{primary("orders_pkey", "order_id")},
		ForeignKeys: []engine.RelationForeignKey{
			{Name: "orders_to_customers", Columns: []string{"customer_id"}, Target: "customers", TargetColumns: []string{"customer_id"}},
			{Name: "orders_to_products", Columns: []string{"product_id"}, Target: "products", TargetColumns: []string{"product_id"}},
		},
	}
}

func customers() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "customers",
		Columns: []engine.RelationColumn{
			key("customer_id", "bigint"), column("region", "text", "It's a \"place\""), column("email", "text", ""), column("active", "boolean", ""),
		},
		Keys: []engine.RelationKey{primary("customers_pkey", "customer_id"), {Name: "customers_email_key", Columns: []string{"email"}}},
	}
}

func products() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "products", Description: "What the shop sells",
		Columns: []engine.RelationColumn{key("product_id", "bigint"), column("category", "text", ""), column("unit_cost", "double precision", "")},
		Keys:    []engine.RelationKey{primary("products_pkey", "product_id")},
	}
}

func orderItems() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "Order Items",
		Columns: []engine.RelationColumn{
			key("Order ID", "bigint"), key("line", "integer"), column("select", "text", ""), column("Größe", "smallint", ""),
		},
		Keys: []engine.RelationKey{primary("Order Items_pkey", "Order ID", "line")},
		ForeignKeys: []engine.RelationForeignKey{
			{Name: "Items of Orders", Columns: []string{"Order ID"}, Target: "orders", TargetColumns: []string{"order_id"}},
		},
	}
}

func events() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "events",
		Columns: []engine.RelationColumn{
			column("at", "timestamp", ""), column("seen", "timestamptz", ""), column("hour", "time", ""), column("ratio", "real", ""),
			column("note", "text", ""),
		},
	}
}

func wide() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "shop", Description: Description,
		Columns: []engine.RelationColumn{
			column("metric_time", "date", ""), column("status", "text", "completed or cancelled"), column("region", "text", ""),
			column("revenue", "numeric", "The sum of amounts"), column("order_count", "bigint", ""),
		},
	}
}
