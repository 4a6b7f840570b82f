package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readModelAndDatasetPayloads reads the extension of the model and its datasets; fields,
// relationships and metrics read theirs where they are compiled.
func (c *compiler) readModelAndDatasetPayloads() {
	if read, _ := c.shouldReadPayloads(c.model.Place, c.model.Extensions); read {
		payload, found := extension.ReadModel(c.model.Place, c.model.Extensions)
		c.addPayloadDiagnostics(found)
		c.cat.Saved = c.savedQueriesOfView(payload.Queries)
		c.rollups, c.views = payload.Rollups, payload.Views
		c.cat.TimeZone, c.cat.WeekStart = payload.TimeZone, payload.WeekStart
	}
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		if read, _ := c.shouldReadPayloads(d.doc.Place, d.doc.Extensions); read {
			payload, found := extension.ReadDataset(d.doc.Place, d.doc.Extensions)
			c.addPayloadDiagnostics(found)
			d.timeDimension, d.calendar = payload.TimeDimension, payload.Calendar
			d.cat.Label = payload.Label
			if payload.Sequence != nil {
				d.sequence = &sequenceInProgress{block: payload.Sequence, dataset: d}
				d.cat.Sequence, d.cat.Source = &catalog.Sequence{}, sqlexpr.DatasetTableOrQuery{}
			}
			c.resolveFreshness(d, payload.Freshness)
		}
	}
}

// shouldReadPayloads reports whether the payloads of an object are to be read. Basic mode reads
// none and warns of the first one. The error is that of a model with too many tokens.
func (c *compiler) shouldReadPayloads(owner modelspec.Place, entries []*modelspec.CustomExtension) (bool, *modelspec.CompileError) {
	if c.Basic {
		c.warnPayloadsIgnoredInBasicMode(owner, entries)
		return false, nil
	}
	for _, x := range entries {
		if !x.IsVendorPayload() {
			continue
		}
		if err := c.countTokensTowardLimit(estimateTokenCount(x.Data.Value), x.Place); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *compiler) warnPayloadsIgnoredInBasicMode(owner modelspec.Place, entries []*modelspec.CustomExtension) {
	for _, x := range entries {
		if x.IsVendorPayload() {
			c.addWarning(extension.CodeIgnoredPayload, x.Location, x.Position, "basic mode ignores the %s extension of %s", x.VendorName, owner.Location)
			break
		}
	}
}
