package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// readPayloads reads the extension of the model and its datasets; fields,
// relationships and metrics read theirs where they are compiled.
func (c *compiler) readPayloads() {
	if !c.ignored(c.model.Place, c.model.Extensions) {
		c.note(extension.ReadModel(c.model.Place, c.model.Extensions))
	}
	for _, d := range c.datasets {
		if !c.ignored(d.doc.Place, d.doc.Extensions) {
			payload, found := extension.ReadDataset(d.doc.Place, d.doc.Extensions)
			c.note(found)
			d.timeDimension = payload.TimeDimension
		}
	}
}

// ignored reports whether the payloads of an object are not to be read, and
// warns of the first one that would have been.
func (c *compiler) ignored(owner modelspec.Place, entries []*modelspec.CustomExtension) bool {
	if !c.Basic {
		return false
	}
	for _, x := range entries {
		if x.Honoured() {
			c.warn(extension.CodeIgnored, x.Location, x.Position, "basic mode ignores the %s extension of %s", x.VendorName, owner.Location)
			break
		}
	}
	return true
}
