package extension

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Slot is a parameter slot that stands for a number: ":n".
type Slot struct {
	Name string
	modelspec.Place
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// count reads an integer of at least least, or a slot for one.
func (o object) count(n *node, least int, slots *[]Slot) catalog.Count {
	if n.kind == kindString && strings.HasPrefix(n.text, ":") {
		name := n.text[1:]
		if !identifier.MatchString(name) {
			o.invalid(n, "%s: %q is not a parameter slot", valueLabel(n), n.text)
			return catalog.Count{}
		}
		*slots = append(*slots, Slot{name, o.placeOf(n)})
		return catalog.Count{Param: name}
	}
	i, ok := integer(n)
	if !ok || i < least {
		o.invalid(n, "%s must be an integer of at least %d, or a parameter slot such as \":n\"; it is %s", valueLabel(n), least, n.describe())
		return catalog.Count{}
	}
	return catalog.Count{N: i}
}
