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

// DatabaseComment is the comment on the database and on the relation of the whole model.
const DatabaseComment = "Orders of a shop"

// TestRelations returns the tables: keys of one and of several columns, foreign keys, comments, every type, and names
// that need quotes.
func TestRelations() []engine.RelationInfo {
	return []engine.RelationInfo{ordersRelationInfo(), customersRelationInfo(), productsRelationInfo(), orderItemsRelationInfo(), eventsRelationInfo(), wideRelationInfo()}
}

func newColumn(name, typ, description string) engine.RelationColumn {
	return engine.RelationColumn{Name: name, Type: typ, Description: description}
}

func newNotNullColumn(name, typ string) engine.RelationColumn {
	return engine.RelationColumn{Name: name, Type: typ, NotNull: true}
}

func newPrimaryRelationKey(name string, columns ...string) engine.RelationKey {
	return engine.RelationKey{Name: name, Primary: true, Columns: columns}
}

func ordersRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "orders", Description: "One row for each order",
		Columns: []engine.RelationColumn{
			newNotNullColumn("order_id", "bigint"), newColumn("customer_id", "bigint", ""), newColumn("product_id", "bigint", "What was bought"),
			newColumn("order_date", "date", ""), newColumn("status", "text", "completed or cancelled"), newColumn("amount", "numeric", ""),
			newColumn("revenue", "numeric", "The sum of amounts"), newColumn("order_count", "bigint", ""),
		},
		Keys: []engine.RelationKey{newPrimaryRelationKey("orders_pkey", "order_id")},
		ForeignKeys: []engine.RelationForeignKey{
			{Name: "orders_to_customers", Columns: []string{"customer_id"}, Target: "customers", TargetColumns: []string{"customer_id"}},
			{Name: "orders_to_products", Columns: []string{"product_id"}, Target: "products", TargetColumns: []string{"product_id"}},
		},
	}
}

func customersRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "customers",
		Columns: []engine.RelationColumn{
			newNotNullColumn("customer_id", "bigint"), newColumn("region", "text", "It's a \"place\""), newColumn("email", "text", ""), newColumn("active", "boolean", ""),
		},
		Keys: []engine.RelationKey{newPrimaryRelationKey("customers_pkey", "customer_id"), {Name: "customers_email_key", Columns: []string{"email"}}},
	}
}

func productsRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "products", Description: "What the shop sells",
		Columns: []engine.RelationColumn{newNotNullColumn("product_id", "bigint"), newColumn("category", "text", ""), newColumn("unit_cost", "double precision", "")},
		Keys:    []engine.RelationKey{newPrimaryRelationKey("products_pkey", "product_id")},
	}
}

func orderItemsRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "Order Items",
		Columns: []engine.RelationColumn{
			newNotNullColumn("Order ID", "bigint"), newNotNullColumn("line", "integer"), newColumn("select", "text", ""), newColumn("Größe", "smallint", ""),
		},
		Keys: []engine.RelationKey{newPrimaryRelationKey("Order Items_pkey", "Order ID", "line")},
		ForeignKeys: []engine.RelationForeignKey{
			{Name: "Items of Orders", Columns: []string{"Order ID"}, Target: "orders", TargetColumns: []string{"order_id"}},
		},
	}
}

func eventsRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "events",
		Columns: []engine.RelationColumn{
			newColumn("at", "timestamp", ""), newColumn("seen", "timestamptz", ""), newColumn("hour", "time", ""), newColumn("ratio", "real", ""),
			newColumn("note", "text", ""),
		},
	}
}

func wideRelationInfo() engine.RelationInfo {
	return engine.RelationInfo{
		Name: "shop", Description: DatabaseComment,
		Columns: []engine.RelationColumn{
			newColumn("metric_time", "date", ""), newColumn("status", "text", "completed or cancelled"), newColumn("region", "text", ""),
			newColumn("revenue", "numeric", "The sum of amounts"), newColumn("order_count", "bigint", ""),
		},
	}
}
