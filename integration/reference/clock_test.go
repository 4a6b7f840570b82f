package reference_test

import (
	"fmt"
	"testing"

	"github.com/semlayer/semlayer/integration/reference"
)

const signals = `
	signals(id! Integer, at DateTimeTz, plain DateTime, n Integer)
	count: COUNT(signals.id)
	total: SUM(signals.n)`

// signalsWorld has a signal at each given instant; plain is the same time without a zone.
func signalsWorld(t *testing.T, instants ...string) world {
	w := given(t, signals, nil)
	for i, text := range instants {
		v, err := reference.ParseTime(text)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := v.(reference.Timestamp)
		if !ok {
			t.Fatalf("%s is a day", text)
		}
		w.data["signals"] = append(w.data["signals"], reference.Row{"id": float64(i), "at": reference.TimestampTZ(m), "plain": m, "n": 1.0})
	}
	return w
}

// The days of Berlin around the changes of its clock begin and end at these instants.
func TestTimeZone_DaysOfBerlin(t *testing.T) {
	for _, c := range []struct{ day, before, first, last, after string }{
		{"2024-03-30", "2024-03-29T22:59:59", "2024-03-29T23:00:00", "2024-03-30T22:59:59", "2024-03-30T23:00:00"},
		{"2024-03-31", "2024-03-30T22:59:59", "2024-03-30T23:00:00", "2024-03-31T21:59:59", "2024-03-31T22:00:00"},
		{"2024-10-27", "2024-10-26T21:59:59", "2024-10-26T22:00:00", "2024-10-27T22:59:59", "2024-10-27T23:00:00"},
	} {
		w := signalsWorld(t, c.before, c.first, c.last, c.after)
		day, err := reference.ParseTime(c.day)
		if err != nil {
			t.Fatal(err)
		}
		next := day.(reference.Date) + 1
		w.answers(t, fmt.Sprintf(`{"metrics":["count"],"group_by":[{"field":"signals.at","grain":"day"}],"time_zone":"Europe/Berlin","time_range":{"start":"%s","end":"%s","dimension":"at"}}`, c.day, next), "at__day | count\n"+c.day+" | 2")
	}
}

// Berlin leaves 02:30 of 31 March out: the bound is 03:00 of summer, 01:00 in UTC. It has 02:30 of
// 27 October twice: the bound is the first, 00:30 in UTC.
func TestTimeZone_BoundsAreOfTheClock(t *testing.T) {
	w := signalsWorld(t, "2024-03-31T00:59:59", "2024-03-31T01:00:00", "2024-10-27T00:29:59", "2024-10-27T00:30:00")
	w.answers(t, `{"metrics":["count"],"time_zone":"Europe/Berlin","time_range":{"start":"2024-03-31T02:30:00","end":"2024-10-27T02:30:00","dimension":"at"}}`, "count\n2")
	w.answers(t, `{"metrics":["count"],"time_zone":"Europe/Berlin","time_range":{"start":"2024-03-31T01:00:00","end":"2024-10-27T02:30:00","dimension":"plain"}}`, "count\n3")
	w.refuses(t, `{"metrics":["count"],"time_zone":"Europe/Berlyn"}`, "unknown_time_zone")
	w.refuses(t, `{"metrics":["count"],"time_zone":"Local"}`, "unknown_time_zone")
}

func TestWeekStart_MovesTheWeek(t *testing.T) {
	// 6 January 2024 is a Saturday.
	w := saleWorld(t)
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"week"}],"week_start":"saturday","limit":2}`, `
		day__week | n
		2023-12-30 | 1
		2024-01-20 | 1`)
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"sale.day","grain":"week"}],"week_start":"sunday","time_range":{"start":"2024-02-01","end":"2024-02-12"},"compare":{"offset":{"count":1,"unit":"week"}},"order_by":[{"key":"day__week"}]}`, `
		day__week | n | n__previous | n__change | n__change_ratio
		2024-01-28 | 1 | 0 | 1 | ∅
		2024-02-04 | 1 | 1 | 0 | 0`)
}

func TestRelativeRange_CountsBackFromAsOf(t *testing.T) {
	w := saleWorld(t)
	last := func(asOf, last string) string {
		return `{"metrics":["revenue"],"as_of":"` + asOf + `","time_range":{"last":` + last + `}}`
	}
	// [2024-03-01, 2024-05-01) and [2024-04-01, 2024-05-16), as the sales of 1 and 2 April.
	w.answers(t, last("2024-05-15", `{"n":2,"unit":"month"}`), "revenue\n35")
	w.answers(t, last("2024-05-15", `{"n":2,"unit":"month","complete":false}`), "revenue\n35")
	// [2024-02-01, 2024-04-01), then [2024-03-01, 2024-04-02), which ends with the day of as_of.
	w.answers(t, last("2024-04-01T15:00:00", `{"n":2,"unit":"month"}`), "revenue\n25")
	w.answers(t, last("2024-04-01T15:00:00", `{"n":2,"unit":"month","complete":false}`), "revenue\n15")
	w.answers(t, last("2024-01-10", `{"n":1,"unit":"week"}`), "revenue\n10")
	w.refuses(t, `{"metrics":["n"],"as_of":"2024-01-01"}`, "conflicting_keys")
	w.refuses(t, `{"metrics":["n"],"as_of":"2024-01-01","time_range":{"start":"2024-01-01","last":{"n":1,"unit":"day"}}}`, "conflicting_keys")
}
