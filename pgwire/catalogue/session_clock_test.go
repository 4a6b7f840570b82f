package catalogue_test

import (
	"testing"
	"time"
)

// Statements without a relation read times on the session's clock, as PostgreSQL does. It keeps an instant in UTC, which the port shows
// in the zone.
func TestCatalogue_ReadsTheClockOfTheSession(t *testing.T) {
	c := newCatalogue(t)
	for _, test := range []struct{ zone, sql, want string }{
		{"Europe/Berlin", "SELECT date_trunc('day', TIMESTAMPTZ '2024-07-01 23:30:00+00')", "2024-07-01 22:00:00+00"},
		{"Europe/Berlin", "SELECT date_trunc('month', '2024-01-15 12:00'::timestamptz)", "2023-12-31 23:00:00+00"},
		{"Europe/Berlin", "SELECT date_trunc('month', DATE '2024-07-15')", "2024-06-30 22:00:00+00"},
		{"Europe/Berlin", "SELECT date_trunc('month', TIMESTAMP '2024-07-15 12:00:00')", "2024-07-01 00:00:00"},
		{"Asia/Kolkata", "SELECT date_trunc('hour', '2024-01-15 12:40:00+00'::timestamptz)", "2024-01-15 12:30:00+00"},
		{"Europe/Berlin", "SELECT date_trunc('hour', '2024-10-27 01:30:00+00'::timestamptz)", "2024-10-27 01:00:00+00"},
		{"Europe/Berlin", "SELECT '2024-07-01 00:30'::timestamptz", "2024-06-30 22:30:00+00"},
		{"Europe/Berlin", "SELECT '2024-07-01 00:30-03:30'::timestamptz", "2024-07-01 04:00:00+00"},
		{"Europe/Berlin", "SELECT '2024-07-01'::timestamptz", "2024-06-30 22:00:00+00"},
		{"Europe/Berlin", "SELECT '2024-06-30 22:30:00+00'::timestamptz::date", "2024-07-01"},
		{"Europe/Berlin", "SELECT '2024-06-30 22:30:00+00'::timestamptz::timestamp", "2024-07-01 00:30:00"},
		{"Europe/Berlin", "SELECT TIMESTAMP '2024-07-01 00:30:00'::timestamptz", "2024-06-30 22:30:00+00"},
		{"Europe/Berlin", "SELECT '2024-06-30 22:30:00.5+00'::timestamptz::text", "2024-07-01 00:30:00.5+02"},
		{"-3.5", "SELECT ('2024-06-30 22:30:00+00'::timestamptz)::text || '!'", "2024-06-30 19:00:00-03:30!"},
		{"-3.5", "SELECT date_trunc('day', '2024-06-30 02:30:00+00'::timestamptz)", "2024-06-29 03:30:00+00"},
		{"UTC", "SELECT '2024-06-30 22:30:00+00'::timestamptz::text", "2024-06-30 22:30:00+00"},
		{"Europe/Berlin", "SELECT '2024-06-30 22:30:00+00'::timestamptz AT TIME ZONE 'Asia/Tokyo'", "2024-07-01 07:30:00"},
		{"Europe/Berlin", "SELECT TIMESTAMP '2024-07-01 07:30:00' AT TIME ZONE 'Asia/Tokyo'", "2024-06-30 22:30:00+00"},
		{"Europe/Berlin", "SELECT DATE '2024-07-01' = '2024-06-30 22:00:00+00'::timestamptz", "t"},
		{"Europe/Berlin", "SELECT now() = now()::timestamp AND now()::date = current_date AND localtimestamp = now() AND date_trunc('day', now()) = current_date", "t"},
	} {
		s := newSession()
		if err := s.Variables.Set("TimeZone", test.zone, false); err != nil {
			t.Fatal(err)
		}
		got, err := ask(t.Context(), c, s, test.sql)
		if err != nil {
			t.Errorf("%s: %v", test.sql, err)
			continue
		}
		if cell := string(got.Rows[0][0]); cell != test.want {
			t.Errorf("%s in %s: %s, want %s", test.sql, test.zone, cell, test.want)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession()
	if err := s.Variables.Set("TimeZone", "Europe/Berlin", false); err != nil {
		t.Fatal(err)
	}
	before := time.Now().In(berlin).Format(time.DateTime)
	got, err := ask(t.Context(), c, s, "SELECT localtimestamp")
	if err != nil {
		t.Fatal(err)
	}
	if shown := string(got.Rows[0][0]); shown < before || shown > time.Now().Add(time.Second).In(berlin).Format(time.DateTime) {
		t.Errorf("localtimestamp is %s, and the clock showed %s", shown, before)
	}
	if _, err := ask(t.Context(), c, s, "SELECT now() AT TIME ZONE 'Europe/Berln'"); err == nil {
		t.Error("an unknown zone is accepted")
	}
}
