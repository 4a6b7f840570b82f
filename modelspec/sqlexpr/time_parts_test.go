package sqlexpr

import "testing"

func TestTimePart_NamesAndUnits(t *testing.T) {
	units := map[string]Grain{
		"hour_of_day": GrainHour, "day_of_week": GrainDay, "day_of_month": GrainDay, "day_of_year": GrainDay,
		"week_of_year": GrainWeek, "month_of_year": GrainMonth, "quarter_of_year": GrainQuarter,
	}
	names := TimePartNames()
	if len(names) != len(units) {
		t.Errorf("parts %v", names)
	}
	for _, name := range names {
		p, ok := ParseTimePart(name)
		if !ok || p.String() != name || p.Unit() != units[name] || !IsTimePart(name) {
			t.Errorf("%s: %v by %s", name, p, p.Unit())
		}
		if _, known := datePartOfSpelling(p.ExtractName()); !known {
			t.Errorf("EXTRACT has no %s", p.ExtractName())
		}
	}
	for _, name := range []string{"", "hour", "HOUR_OF_DAY", "year"} {
		if IsTimePart(name) {
			t.Errorf("%q is a part", name)
		}
	}
}
