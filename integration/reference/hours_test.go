package reference_test

import "testing"

func TestTimeZone_HoursAreInstants(t *testing.T) {
	// The clock of Berlin shows 02:30 twice; that of Kolkata 05:40.
	signalsWorld(t, "2024-10-27T00:30:00", "2024-10-27T01:30:00").answers(t, `{"metrics":["count"],"group_by":[{"field":"signals.at","grain":"hour"}],"time_zone":"Europe/Berlin","limit":9}`, `
		at__hour | count
		2024-10-27T00:00:00Z | 1
		2024-10-27T01:00:00Z | 1`)
	signalsWorld(t, "2024-01-01T00:10:00").answers(t, `{"metrics":["count"],"group_by":[{"field":"signals.at","grain":"hour"},{"field":"signals.plain","grain":"hour"},{"field":"signals.plain","grain":"minute","name":"m"},{"field":"signals.at"}],"time_zone":"Asia/Kolkata"}`, `
		at__hour | plain__hour | m | at | count
		2023-12-31T23:30:00Z | 2024-01-01T00:00:00 | 2024-01-01T00:10:00 | 2024-01-01T00:10:00Z | 1`)
}

func TestRelativeRange_HoursAreTimeThatPasses(t *testing.T) {
	// The clock of Berlin shows 03:10 an hour after it showed 01:10.
	s := signalsWorld(t, "2024-03-30T23:59:59", "2024-03-31T00:00:00", "2024-03-31T00:59:59", "2024-03-31T01:59:59", "2024-03-31T02:00:00")
	for text, want := range map[string]string{`{"n":1,"unit":"hour"}`: "2", `{"n":2,"unit":"hour"}`: "3", `{"n":1,"unit":"hour","complete":false}`: "1", `{"n":1,"unit":"day"}`: "0", `{"n":1,"unit":"day","complete":false}`: "5"} {
		s.answers(t, `{"metrics":["count"],"as_of":"2024-03-31T03:10:00","time_zone":"Europe/Berlin","time_range":{"dimension":"at","last":`+text+`}}`, "count\n"+want)
	}
}
