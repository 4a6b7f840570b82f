package extension

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// NumberParamSlot is a parameter slot that stands for a number: ":n".
type NumberParamSlot struct {
	Name string
	modelspec.Place
}

var identifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readCountOrParamSlot reads an integer of at least least, or a slot for one.
func (o payloadObjectReader) readCountOrParamSlot(n *jsonNode, least int, slots *[]NumberParamSlot) catalog.WindowCountOrParam {
	if n.kind == jsonString && strings.HasPrefix(n.text, ":") {
		name := n.text[1:]
		if !identifierPattern.MatchString(name) {
			o.addInvalidError(n, "%s: %q is not a parameter slot", pathForMessage(n), n.text)
			return catalog.WindowCountOrParam{}
		}
		*slots = append(*slots, NumberParamSlot{name, o.placeOfNode(n)})
		return catalog.WindowCountOrParam{Param: name}
	}
	i, ok := readIntegerOfNode(n)
	if !ok || i < least {
		o.addInvalidError(n, "%s must be an integer of at least %d, or a parameter slot such as \":n\"; it is %s", pathForMessage(n), least, n.describeKind())
		return catalog.WindowCountOrParam{}
	}
	return catalog.WindowCountOrParam{N: i}
}
