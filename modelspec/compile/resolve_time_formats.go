package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addTimeFormat joins a time block with the field's datatype, which determines whether the
// codes compare as numbers or as text.
func (c *compiler) addTimeFormat(f *fieldInProgress, t *extension.TimeFormat) {
	invalid := func(format string, args ...any) {
		c.failField(f, invalidPayloadError(t.Place, "time", format, args...))
	}
	format := *t.Format
	switch datatype := f.cat.Datatype; {
	case datatype == modelspec.DatatypeInteger:
		format.Numeric = true
	case format.Epoch != "" && datatype == "":
		format.Numeric = true
	case format.Epoch != "":
		invalid("%s stores a number of %s, and its datatype is %s; text of varying width does not sort as time does", f.cat.QualifiedName(), format.Epoch, datatype)
	case datatype != "" && datatype != modelspec.DatatypeString:
		invalid("%s stores encoded dates, and its datatype is %s; it must be String or Integer", f.cat.QualifiedName(), datatype)
	}
	if format.Numeric && hasNonDigitLiteralInLayout(format.Layout) {
		invalid("the datatype of %s is Integer, and the format %s holds text that no number has", f.cat.QualifiedName(), format.Text)
	}
	if f.ext.LOD != nil {
		invalid("%s is computed per grain; a time block describes a stored column", f.cat.QualifiedName())
	}
	declared := f.ext.Granularity
	if declared != sqlexpr.GrainNone && t.Granularity != sqlexpr.GrainNone && declared != t.Granularity {
		invalid("%s declares time_granularity %s and, in its time block, %s", f.cat.QualifiedName(), declared, t.Granularity)
	}
	if declared != sqlexpr.GrainNone && format.Grain != sqlexpr.GrainNone && !format.Grain.Subdivides(declared) {
		invalid("%s declares time_granularity %s, and its format stores %ss", f.cat.QualifiedName(), declared, format.Grain)
	}
	f.cat.Encoding = &format
	f.cat.Granularity = max(declared, t.Granularity, format.Grain)
}

func hasNonDigitLiteralInLayout(layout []catalog.TimeLayoutPart) bool {
	for _, p := range layout {
		if strings.Trim(p.Literal, "0123456789") != "" {
			return true
		}
	}
	return false
}
