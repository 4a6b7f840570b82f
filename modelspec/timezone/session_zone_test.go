package timezone

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What SHOW TimeZone of PostgreSQL 15 writes, and the offset of the first of January 2024.
func TestParseSessionZone_FormsAndSignsOfPostgreSQL(t *testing.T) {
	for _, c := range []struct {
		text, shown, query string
		offset             int
	}{
		{"UTC", "UTC", "UTC", 0},
		{"utc", "UTC", "UTC", 0},
		{"europe/berlin", "Europe/Berlin", "Europe/Berlin", 3600},
		{"America/New_York", "America/New_York", "America/New_York", -5 * 3600},
		{"est5edt", "EST5EDT", "EST5EDT", -5 * 3600},
		{"2", "<+02>-02", "Etc/GMT-2", 7200},
		{"+2", "<+02>-02", "Etc/GMT-2", 7200},
		{"-7", "<-07>+07", "Etc/GMT+7", -7 * 3600},
		{"5.5", "<+05:30>-05:30", "", 5*3600 + 1800},
		{"5.12345", "<+05:07:24>-05:07:24", "", 5*3600 + 7*60 + 24},
		{"1e1", "<+10>-10", "Etc/GMT-10", 36000},
		{"99", "<+99>-99", "", 99 * 3600},
		{"167", "<+167>-167", "", 167 * 3600},
		{"0", "<+00>-00", "UTC", 0},
		{"-0", "<+00>-00", "UTC", 0},
		{"INTERVAL '-08:00'", "<-08>+08", "Etc/GMT+8", -8 * 3600},
		{"interval '+03:30'", "<+03:30>-03:30", "", 3*3600 + 1800},
		{"INTERVAL '5 hours'", "<+05>-05", "Etc/GMT-5", 5 * 3600},
		{"+02:00", "+02:00", "Etc/GMT+2", -7200}, // POSIX counts west
		{"05:30", "05:30", "", -5*3600 - 1800},
		{"+2:3", "+2:3", "", -7200 - 180},
		{"UTC+2", "UTC+2", "Etc/GMT+2", -7200},
		{"UTC-5:30", "UTC-5:30", "", 5*3600 + 1800},
		{"<+02>-02", "<+02>-02", "Etc/GMT-2", 7200},
		{"<x>-02", "<X>-02", "Etc/GMT-2", 7200},
		{"UTC+25", "UTC+25", "", -25 * 3600},
		{"FOO5", "FOO5", "Etc/GMT+5", -5 * 3600},
	} {
		got, ok := ParseSessionZone(c.text)
		if !ok || got.Shown != c.shown {
			t.Errorf("%q is shown as %q, %v, want %q", c.text, got.Shown, ok, c.shown)
			continue
		}
		query, offset := UTC, 0
		if got.Zone != nil {
			query, offset = got.Name(), got.Offset(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
		}
		if query != c.query || offset != c.offset {
			t.Errorf("%q is the zone %q, %d seconds ahead, want %q, %d", c.text, query, offset, c.query, c.offset)
		}
	}
}

func TestParseSessionZone_RejectsOtherTexts(t *testing.T) {
	for _, text := range []string{
		"", " ", "Berlin", "Europe", "Europe/Berln", "PST", "Z", "../etc/passwd", "/etc/localtime", "localtime", "168", "-168", "0530", "-0530", "inf", "nan", "NaN",
		"1e999", "1e309", "UTC,2", "UTC+24:59:59", "+02:60", "INTERVAL '1 month'", "INTERVAL '1 day'", "INTERVAL '", "INTERVAL ''", "FOO5BAR", "<+02>", "<", "<'>1", "'; DROP TABLE x --",
		"UTC\x00", "Europe/Berlin\n", "+", "-", "99999999999999999999", "2\x00", "é5", "Europe/Berlin'", "0x2", "1_0", "+02:00:30",
	} {
		if got, ok := ParseSessionZone(text); ok {
			t.Errorf("%q is the zone %q", text, got.Shown)
		}
	}
}

func TestOffsetText_AsPostgreSQLWritesIt(t *testing.T) {
	got := []string{}
	for _, seconds := range []int{0, 7200, -18000, 19800, -7380, 36000 + 1, -90000} {
		got = append(got, OffsetText(seconds))
	}
	if d := cmp.Diff([]string{"+00", "+02", "-05", "+05:30", "-02:03", "+10:00:01", "-25"}, got); d != "" {
		t.Error(d)
	}
}
