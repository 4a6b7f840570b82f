package timezone

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T, name string) *Zone {
	t.Helper()
	z, ok := Load(name)
	if !ok {
		t.Fatalf("no zone %s", name)
	}
	return z
}

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02T15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestLoad_KnowsNamesOfTheDatabaseOnly(t *testing.T) {
	for _, name := range []string{"", "Local", "local", "europe/berlin", "Europe/Berln", "+02:00", "UTC+2", "../etc/passwd", "/etc/localtime", "Europe", "names.txt"} {
		if _, ok := Load(name); ok {
			t.Errorf("%q is a zone", name)
		}
	}
	for _, name := range Names() {
		if z, ok := Load(name); !ok || name != UTC && z.Name() != name {
			t.Errorf("%s is not a zone", name)
		}
	}
}

func TestNames_AreThoseOfGo(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command")
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Skip("Go without its zones")
	}
	defer archive.Close()
	var names []string
	for _, f := range archive.File {
		if name := f.Name; !strings.HasSuffix(name, "/") && name != "Factory" && name != "localtime" && name != "posixrules" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if d := cmp.Diff(names, Names()); d != "" {
		t.Errorf("write the names of this Go to names.txt:\n%s", d)
	}
}

func TestInstant_GapsAndRepeatedTimes(t *testing.T) {
	for _, c := range []struct{ zone, shown, want string }{
		{"Europe/Berlin", "2024-03-31T01:59", "2024-03-31T00:59"},
		{"Europe/Berlin", "2024-03-31T02:00", "2024-03-31T01:00"},
		{"Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:00"},
		{"Europe/Berlin", "2024-03-31T03:00", "2024-03-31T01:00"},
		{"Europe/Berlin", "2024-10-27T01:59", "2024-10-26T23:59"},
		{"Europe/Berlin", "2024-10-27T02:30", "2024-10-27T00:30"},
		{"Europe/Berlin", "2024-10-27T03:00", "2024-10-27T02:00"},
		{"Europe/Berlin", "2044-03-27T02:30", "2044-03-27T01:00"},
		{"America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T03:00"},
		{"Australia/Lord_Howe", "2024-10-06T02:15", "2024-10-05T15:30"},
		{"Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00"},
		{"Pacific/Apia", "2011-12-29T23:59", "2011-12-30T09:59"},
		{"Asia/Kolkata", "2024-01-01T05:30", "2024-01-01T00:00"},
	} {
		if got := load(t, c.zone).InstantOfLocalTime(at(c.shown)); !got.Equal(at(c.want)) {
			t.Errorf("%s shows %s at %s, want %s", c.zone, c.shown, got, c.want)
		}
	}
}

// Every change is one, and they leave none out: the offsets of all hours follow from them.
func TestChanges_GiveOffsetOfEveryHour(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "Pacific/Apia", "America/Santiago"} {
		z := load(t, name)
		offset, changes := z.OffsetChanges(time.Time{}, at("9999-12-31T00:00"))
		current := offset
		for hour := at("1970-01-01T00:00"); hour.Before(at("2051-01-01T00:00")); hour = hour.Add(time.Hour) {
			for len(changes) > 0 && changes[0].At <= hour.Unix() {
				current, changes = changes[0].Offset, changes[1:]
			}
			if want := z.Offset(hour); want != current {
				t.Fatalf("%s is %d seconds ahead at %s, want %d", name, current, hour, want)
			}
		}
		if len(changes) > 0 {
			t.Errorf("%s: changes after 2050: %v", name, changes)
		}
	}
}

func TestChanges_OfASpan(t *testing.T) {
	offset, changes := load(t, "Europe/Berlin").OffsetChanges(at("2024-01-01T00:00"), at("2025-01-01T00:00"))
	want := []OffsetChange{{at("2024-03-31T01:00").Unix(), 7200}, {at("2024-10-27T01:00").Unix(), 3600}}
	if d := cmp.Diff(want, changes); d != "" || offset != 3600 {
		t.Errorf("%d before, then %s", offset, d)
	}
}
