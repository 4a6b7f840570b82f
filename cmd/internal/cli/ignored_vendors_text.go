package cli

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// maxShownVendors bounds how many vendors one line names.
const maxShownVendors = 10

// ignoredVendorsText names the vendors whose entries are ignored, each with the number of
// its entries; "" when there are none.
func ignoredVendorsText(e *engine.Engine) string {
	list := e.IgnoredVendors()
	var parts []string
	for _, v := range list[:min(len(list), maxShownVendors)] {
		parts = append(parts, quoteVendorName(v.Name)+" ("+strconv.Itoa(v.Entries)+")")
	}
	if rest := len(list) - len(parts); rest > 0 {
		parts = append(parts, strconv.Itoa(rest)+" more")
	}
	return strings.Join(parts, ", ")
}

// quoteVendorName returns a name from a model for one line of a terminal: a plain name as it is,
// another one quoted.
func quoteVendorName(name string) string {
	if quoted := strconv.QuoteToGraphic(name); quoted != `"`+name+`"` || strings.ContainsAny(name, " ,") || name == "" {
		return quoted
	}
	return name
}
