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
		if got := importer.BacktickPathToDoubleQuotes(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestNamesWithDoubleQuotes_LeavesTextsAlone(t *testing.T) {
	for sql, want := range map[string]string{
		"`Qty` * 2":        `"Qty" * 2`,
		"a = '`b`' || `c`": "a = '`b`' || \"c\"",
		"\"`a`\"":          "\"`a`\"",
		"`a":               "`a",
		"`a\"b`":           `"a""b"`,
		"price":            "price",
	} {
		if got := importer.BacktickNamesToDoubleQuotes(sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}
