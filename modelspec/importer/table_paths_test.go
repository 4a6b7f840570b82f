package importer_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

func TestTablePathWithDoubleQuotes_QuotesEachName(t *testing.T) {
	for text, want := range map[string]string{
		"orders":                   "orders",
		"shop.orders":              "shop.orders",
		"`orders`":                 `"orders"`,
		"`a-1`.`shop`.`orders`":    `"a-1"."shop"."orders"`,
		"`a-1.shop.orders`":        `"a-1"."shop"."orders"`,
		"`a-1`.shop.`orders_2024`": `"a-1".shop."orders_2024"`,
		`"Shop"."Orders"`:          `"Shop"."Orders"`,
		"`orders":                  "`orders",
		"":                         "",
	} {
		if got := importer.TablePathWithDoubleQuotes(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
