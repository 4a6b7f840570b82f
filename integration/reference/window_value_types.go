package reference

import "github.com/semlayer/semlayer/modelspec/catalog"

// refuseCalculationWithoutNumbers refuses a window that calculates with texts or times. Dates have a difference, in days.
func (p *windowPopulation) refuseCalculationWithoutNumbers() {
	switch p.l.window.FunctionOrCalculation() {
	case "value", "min", "max", "count", "":
		return
	}
	if p.l.window.Rank != nil || p.l.window.Value != nil {
		return
	}
	isEmpty := true
	for _, c := range p.groups {
		switch c.value.(type) {
		case nil:
			continue
		case Date, Timestamp, TimestampTZ:
			if p.l.window.FunctionOrCalculation() != catalog.CalculationDelta.String() {
				p.e.addMustRejectCode("not_implemented")
			}
		case string:
			p.e.addMustRejectCode("not_implemented")
		}
		isEmpty = false
	}
	if isEmpty {
		p.e.addMayRejectCode("not_implemented") // the values have a type that no row shows
	}
}
