package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// AllowsTimeGrains reports whether the field's values can be placed in calendar
// buckets: it is a time field and holds dates or timestamps (an undeclared type
// is taken at its word), or encodes them.
func (f *Field) AllowsTimeGrains() bool {
	if f.Encoding != nil {
		return true
	}
	return f.IsTime && (f.Type.IsDateOrTimestamp() || f.Type == sqlexpr.TypeUnknown)
}

// StoredGrain returns the finest period that the field can tell apart; GrainNone when it
// is not known.
func (f *Field) StoredGrain() sqlexpr.Grain {
	switch {
	case f.Encoding != nil:
		return max(f.Granularity, f.Encoding.FinestGrain())
	case f.Type == sqlexpr.TypeDate:
		return max(f.Granularity, sqlexpr.GrainDay)
	}
	return f.Granularity
}

// FinestGrain returns the period of one code.
func (t *TimeFormat) FinestGrain() sqlexpr.Grain {
	if t.Grain != sqlexpr.GrainNone {
		return t.Grain
	}
	for i := len(t.Layout) - 1; i >= 0; i-- {
		switch t.Layout[i].Token {
		case "HH":
			return sqlexpr.GrainHour
		case "mm":
			return sqlexpr.GrainMinute
		case "ss":
			return sqlexpr.GrainSecond
		}
	}
	return sqlexpr.GrainSecond // of an epoch
}

// DecodedTimeType returns the type of the times of the field: that of its column, or of what an
// encoding means. A count since 1970 means an instant.
func (f *Field) DecodedTimeType() sqlexpr.Type {
	switch {
	case f.Encoding == nil:
		return f.Type
	case f.Encoding.FinestGrain() >= sqlexpr.GrainDay:
		return sqlexpr.TypeDate
	case f.Encoding.Epoch != "":
		return sqlexpr.TypeTimestampTZ
	}
	return sqlexpr.TypeTimestamp
}

// BucketType returns the type of the buckets of a grain of the field.
func (f *Field) BucketType(g sqlexpr.Grain) sqlexpr.Type {
	return sqlexpr.BucketType(f.DecodedTimeType(), g)
}

// TimeParts lists the parts of a time that a query may ask of the field, from fine to coarse; none when it has no
// calendar.
func (f *Field) TimeParts() []sqlexpr.TimePart {
	if !f.AllowsTimeGrains() {
		return nil
	}
	var out []sqlexpr.TimePart
	for p := sqlexpr.PartHourOfDay; p <= sqlexpr.PartQuarterOfYear; p++ {
		if p.Unit() >= f.StoredGrain() {
			out = append(out, p)
		}
	}
	return out
}

// Grains lists the grains that a query may ask of the field, from fine to coarse;
// none when it has no calendar.
func (f *Field) Grains() []sqlexpr.Grain {
	if !f.AllowsTimeGrains() {
		return nil
	}
	var out []sqlexpr.Grain
	for _, name := range sqlexpr.GrainNames() {
		if g, _ := sqlexpr.ParseGrain(name); g >= f.StoredGrain() {
			out = append(out, g)
		}
	}
	return out
}

// ToTimeCode returns the encoding as a node of the expression tree has it.
func (t *TimeFormat) ToTimeCode() *sqlexpr.TimeCode {
	code := &sqlexpr.TimeCode{Text: t.Text, Epoch: t.Epoch, Numeric: t.Numeric}
	at := 1
	for _, p := range t.Layout {
		if p.Token == "" {
			at += len(p.Literal)
			continue
		}
		code.Fields = append(code.Fields, sqlexpr.TimeLayoutField{Token: p.Token, Start: at, Len: len(p.Token)})
		at += len(p.Token)
	}
	return code
}
