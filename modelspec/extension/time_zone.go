package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// readTimeZone reads the name of a zone in the IANA database.
func (o payloadObjectReader) readTimeZone() string {
	n := o.readMember("time_zone")
	if n == nil {
		return ""
	}
	name := n.text
	if _, ok := timezone.Load(name); !ok {
		near := suggest.Nearest(name, timezone.Names(), 3)
		o.addError(CodeInvalidPayload, n, "the nearest names are "+strings.Join(near, ", "), "time_zone %q is not the name of a zone in the IANA database", name)
		return ""
	}
	return name
}
