package catalogue_test

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
	"github.com/semlayer/semlayer/semsql/parse"
)

// shop is a model with one relation.
type shop struct{}

func (shop) Revision() string { return "1" }
func (shop) ViewKey() string  { return "1" }

func (shop) Relations() []engine.RelationInfo {
	return []engine.RelationInfo{{
		Name:    "orders",
		Columns: []engine.RelationColumn{{Name: "order_id", Type: "bigint", NotNull: true}, {Name: "status", Type: "text"}},
		Keys:    []engine.RelationKey{{Name: "orders_pkey", Primary: true, Columns: []string{"order_id"}}},
	}}
}

// A client requests the columns of a relation.
func Example() {
	c := catalogue.New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	session := pgwire.CatalogueSession{Model: shop{}, Database: "shop", User: "me"}
	rows, err := c.Answer(context.Background(), session, parse.ParseStatement(`SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)
		FROM pg_catalog.pg_attribute a WHERE a.attrelid = 'public.orders'::regclass AND a.attnum > 0 ORDER BY a.attnum`, parse.DefaultLimits()), nil)
	fmt.Println(rows.Rows, err)
	// Output: [[order_id bigint] [status text]] <nil>
}
