package clock

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func in(t *testing.T, zone string) Clock {
	t.Helper()
	c, err := New(&catalog.Catalog{}, zone, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHasEvenBuckets_SeesHalfHours(t *testing.T) {
	span := func(from, to string) TimeBounds { return TimeBounds{From: parseInstant(from), To: parseInstant(to)} }
	summer, winter := span("2024-01-01", "2024-01-05"), span("2024-07-01", "2024-07-05")
	change := span("2024-04-06", "2024-04-07") // at 15:00 UTC
	for _, c := range []struct {
		zone  string
		grain sqlexpr.Grain
		spans []TimeBounds
		want  bool
	}{
		{"Australia/Lord_Howe", sqlexpr.GrainHour, []TimeBounds{summer}, true},
		{"Australia/Lord_Howe", sqlexpr.GrainHour, []TimeBounds{summer, winter}, false},
		{"Australia/Lord_Howe", sqlexpr.GrainHour, []TimeBounds{winter, winter}, true},
		{"Australia/Lord_Howe", sqlexpr.GrainHour, []TimeBounds{change, change}, false},
		{"Australia/Lord_Howe", sqlexpr.GrainMinute, []TimeBounds{summer, winter}, true},
		{"Australia/Lord_Howe", sqlexpr.GrainDay, []TimeBounds{summer, winter}, true},
		{"Europe/Berlin", sqlexpr.GrainHour, []TimeBounds{summer, winter}, true},
		{"Asia/Kolkata", sqlexpr.GrainHour, []TimeBounds{summer, winter}, true},
		{"UTC", sqlexpr.GrainHour, []TimeBounds{summer, winter}, true},
	} {
		if got := in(t, c.zone).HasEvenBuckets(c.grain, c.spans...); got != c.want {
			t.Errorf("%s by %s: %v", c.zone, c.grain, got)
		}
	}
}

func TestFloor_OfHoursBefore1970(t *testing.T) {
	for _, c := range []struct{ zone, at, want string }{
		{"Europe/Berlin", "1880-01-01T00:30:00", "1880-01-01T00:00:00"}, // local mean time: +00:53:28
		{"Asia/Kolkata", "1880-01-01T00:40:00", "1880-01-01T00:30:00"},  // local mean time: +05:53:28
		{"Asia/Kolkata", "2100-01-01T00:10:00", "2099-12-31T23:30:00"},
	} {
		if got := in(t, c.zone).FloorTime(parseInstant(c.at), sqlexpr.GrainHour); !got.Equal(parseInstant(c.want)) {
			t.Errorf("%s in %s: %s, want %s", c.at, c.zone, got, c.want)
		}
	}
}
