package retry

import (
	"slices"

	"github.com/semlayer/semlayer/planner/query"
)

// ReplaceOrderKey returns the orders with another key in place of one that is unknown. A direction that the unknown key
// holds becomes that of its order.
func ReplaceOrderKey(orders []query.OrderBy, old query.OrderBy, key string) []query.OrderBy {
	out := slices.Clone(orders)
	for i, o := range out {
		if o == old {
			out[i], _ = o.WithDirectionOfKey()
			out[i].Key = key
		}
	}
	return out
}
