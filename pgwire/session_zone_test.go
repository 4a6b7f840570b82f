package pgwire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestTimeZone_ShowsInstantsOnTheClockOfTheSession(t *testing.T) {
	p := startPort(t, nil)
	c := connect(t, p.url("")).PgConn()
	first := rowsOf(t, c, "SELECT MIN(seen_at) FROM orders")[0][0]
	at := strings.TrimSuffix(first, "+00")
	for _, s := range []struct{ set, shown string }{
		{"SET TIME ZONE 'Europe/Berlin'", "Europe/Berlin"},
		{"SET TimeZone = 'america/new_york'", "America/New_York"},
		{"SET TimeZone TO 5.5", "<+05:30>-05:30"},
		{"SET TIME ZONE -3", "<-03>+03"},
		{"SET TIME ZONE INTERVAL '-03:30' HOUR TO MINUTE", "<-03:30>+03:30"},
		{"SET SESSION TIME ZONE '+02:00'", "+02:00"}, // POSIX counts west
		{"SET TIME ZONE LOCAL", "UTC"},
		{"SET TIME ZONE 2; RESET TIME ZONE", "UTC"},
	} {
		if _, err := run(c, s.set); err != nil {
			t.Fatal(s.set, err)
		}
		if got := rowsOf(t, c, "SHOW TimeZone"); got[0][0] != s.shown || c.ParameterStatus("TimeZone") != s.shown {
			t.Errorf("%s shows %s, and the client knows %s, want %s", s.set, got, c.ParameterStatus("TimeZone"), s.shown)
		}
		// PostgreSQL reads the text that it has shown as the same instant.
		shown := rowsOf(t, c, "SELECT MIN(seen_at) FROM orders")[0][0]
		if back := rowsOf(t, c, "SELECT COUNT(*) FROM orders WHERE seen_at = '"+shown+"' AND seen_at = '"+at+"+00'"); back[0][0] == "0" {
			t.Errorf("%s: %s is not %s", s.set, shown, first)
		}
	}
}

func TestTimeZone_LocalEndsWithTheTransaction(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	for _, s := range []struct{ sql, zone string }{
		{"SET TIME ZONE 'Europe/Berlin'", "Europe/Berlin"},
		{"BEGIN; SET LOCAL TIME ZONE 'Asia/Tokyo'", "Asia/Tokyo"},
		{"COMMIT", "Europe/Berlin"},
		{"BEGIN; SET TIME ZONE 'Asia/Tokyo'; ROLLBACK", "Europe/Berlin"},
		{"BEGIN; SET LOCAL TIME ZONE DEFAULT", "UTC"},
		{"ROLLBACK", "Europe/Berlin"},
		{"DISCARD ALL", "UTC"},
	} {
		if _, err := run(c, s.sql); err != nil {
			t.Fatal(s.sql, err)
		}
		if got := rowsOf(t, c, "SHOW TIME ZONE"); got[0][0] != s.zone {
			t.Errorf("after %s: %s, want %s", s.sql, got, s.zone)
		}
	}
}

func TestTimeZone_RejectsUnknownNames(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	for _, set := range []string{
		"SET TIME ZONE 'Europe/Berln'", "SET TimeZone = ''", "SET TimeZone = '../etc/passwd'", "SET TimeZone = 'UTC,2'", "SET TIME ZONE 168", "SET TIME ZONE INTERVAL '1 month'",
		"SET TimeZone = 'Europe/Berlin''; SELECT 1'", "SET TIME ZONE 'localtime'",
	} {
		_, err := run(c, set)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "22023" || !strings.HasPrefix(e.Detail, "code: unknown_time_zone\ncandidates: ") {
			t.Errorf("%s: %+v", set, e)
			continue
		}
		if _, err := run(c, e.Hint); err != nil {
			t.Errorf("%s: the hint %s: %v", set, e.Hint, err)
		}
	}
	if _, err := run(c, "SELECT seen_at AT TIME ZONE 'Europe/Berln' FROM orders"); stateOf(err) != "22023" {
		t.Errorf("AT TIME ZONE: %v", err)
	}
}

func TestTimeZone_OfTheStartupPacket(t *testing.T) {
	p := startPort(t, nil)
	for _, s := range []struct{ key, value, zone, notice string }{
		{"timezone", "Europe/Berlin", "Europe/Berlin", ""},
		{"TimeZone", "-3.5", "<-03:30>+03:30", ""},
		{"options", "-c TimeZone=Asia/Tokyo", "Asia/Tokyo", ""},
		{"timezone", "Mars/Olympus", "UTC", "NOTICE 22023"},
	} {
		config, err := pgx.ParseConfig(p.url(""))
		if err != nil {
			t.Fatal(err)
		}
		config.RuntimeParams[s.key] = s.value
		notice := ""
		config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notice = n.Severity + " " + n.Code }
		conn, err := pgx.ConnectConfig(context.Background(), config)
		if err != nil {
			t.Fatal(s, err)
		}
		c := conn.PgConn()
		if got := rowsOf(t, c, "SHOW TimeZone"); got[0][0] != s.zone || notice != s.notice {
			t.Errorf("%s %s: %s, notice %q", s.key, s.value, got, notice)
		}
		if _, err := run(c, "SET TIME ZONE 9; RESET TimeZone"); err != nil {
			t.Error(err)
		}
		if got := rowsOf(t, c, "SHOW TimeZone"); got[0][0] != s.zone {
			t.Errorf("%s after RESET: %s", s.value, got)
		}
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// A statement that was prepared before SET follows the zone of each execution.
func TestTimeZone_OfAPreparedStatementIsThatOfItsExecution(t *testing.T) {
	conn := connect(t, startPort(t, nil).url(""))
	ctx := context.Background()
	const sql = "SELECT EXTRACT(HOUR FROM seen_at) AS h, COUNT(*) AS n FROM orders WHERE seen_at IS NOT NULL GROUP BY 1 ORDER BY 1 LIMIT 1"
	hour := func() (h, n int64) {
		if err := conn.QueryRow(ctx, sql).Scan(&h, &n); err != nil {
			t.Fatal(err)
		}
		return h, n
	}
	if _, err := conn.Prepare(ctx, sql, sql); err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, zone := range []string{"0", "2", "5", "0"} {
		if _, err := conn.Exec(ctx, "SET TIME ZONE "+zone); err != nil {
			t.Fatal(err)
		}
		h, _ := hour()
		got = append(got, h)
	}
	if d := cmp.Diff([]int64{got[0], (got[0] + 2) % 24, (got[0] + 5) % 24, got[0]}, got); d != "" {
		t.Error(d)
	}
}
