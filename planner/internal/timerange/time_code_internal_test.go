package timerange

import (
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

func layout(numeric bool, parts ...string) *catalog.TimeFormat {
	f := &catalog.TimeFormat{Numeric: numeric}
	for _, p := range parts {
		switch p {
		case "yyyy", "MM", "dd", "HH", "mm", "ss", "Q", "ww":
			f.Layout = append(f.Layout, catalog.TimeLayoutPart{Token: p})
		default:
			f.Layout = append(f.Layout, catalog.TimeLayoutPart{Literal: p})
		}
	}
	return f
}

func TestDecodeTimeCode_IsTheInverseOfEncoding(t *testing.T) {
	formats := []*catalog.TimeFormat{
		layout(true, "yyyy", "MM", "dd"), layout(false, "yyyy", "-", "MM", "-", "dd"), layout(true, "yyyy", "MM"), layout(true, "yyyy"),
		layout(false, "yyyy", "-W", "ww"), layout(true, "yyyy", "ww"), layout(false, "yyyy", "Q", "Q"), layout(true, "yyyy", "MM", "dd", "HH"),
		layout(false, "yyyy", "MM", "dd", "HH", "mm", "ss"), {Epoch: "days"}, {Epoch: "seconds"}, {Epoch: "millis"},
	}
	for _, f := range formats {
		for day := time.Date(1998, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2035; day = day.AddDate(0, 0, 1) {
			code := encodeAsTimeCode(day, f)
			got, ok := DecodeTimeCode(code, f)
			if want := alignToPeriodStart(day, f, false); !ok || !got.Equal(want) {
				t.Fatalf("%+v: %s is %s (%t), want %s", f, code, got, ok, want)
			}
		}
	}
}

func TestDecodeTimeCode_RefusesWhatIsNotACode(t *testing.T) {
	for code, f := range map[string]*catalog.TimeFormat{
		"20240230": layout(true, "yyyy", "MM", "dd"), "99999999": layout(true, "yyyy", "MM", "dd"), "": layout(true, "yyyy"), "2024013": layout(true, "yyyy", "MM"),
		"2024-13": layout(false, "yyyy", "-", "MM"), "2024/01": layout(false, "yyyy", "-", "MM"), "202454": layout(true, "yyyy", "ww"), "-2024": layout(true, "yyyy"),
		"20245": layout(false, "yyyy", "Q"), "1e9": {Epoch: "seconds"}, "999999999999999999": {Epoch: "days"}, "9999999999999": {Epoch: "seconds"}, "x": {Epoch: "millis"}, "+2024": layout(true, "yyyy"),
		"2024 1": layout(true, "yyyy", "MM"),
	} {
		if got, ok := DecodeTimeCode(code, f); ok {
			t.Errorf("%q with %+v is %s", code, f, got)
		}
	}
}
