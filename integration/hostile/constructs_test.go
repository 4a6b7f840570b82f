//go:build linux

package hostile

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// expectBounded sends a body several times at once. It is answered, rejected, busy or out of time, or ends at the
// memory that the database may use.
func expectBounded(ctx context.Context, t *testing.T, s *server, what, body string) {
	t.Helper()
	runParallel(4, func(int) {
		got := s.execute(ctx, body)
		switch {
		case got.status == http.StatusOK, got.status == http.StatusBadRequest, got.status == http.StatusTooManyRequests,
			got.status == http.StatusGatewayTimeout, got.status == http.StatusBadRequest && strings.Contains(got.body, "memory_limit"):
			t.Logf("%s: %d %.200s", what, got.status, got.body)
		default:
			t.Errorf("%s: %d %.300s", what, got.status, got.body)
		}
	})
}

// waitsForMemory reports that other requests hold the memory that the request needs.
func waitsForMemory(got answer) bool {
	return got.status == http.StatusTooManyRequests && strings.Contains(got.body, `"code":"memory_limit"`)
}

// expectRefusal sends a body several times at once and needs one of the codes, or memory that others hold.
func expectRefusal(ctx context.Context, t *testing.T, s *server, what, body string, codes ...string) {
	t.Helper()
	runParallel(4, func(int) {
		got := s.execute(ctx, body)
		if waitsForMemory(got) {
			return
		}
		for _, code := range codes {
			if got.status == http.StatusBadRequest && strings.Contains(got.body, `"code":"`+code+`"`) {
				return
			}
		}
		t.Errorf("%s: %d %.300s, want %v", what, got.status, got.body, codes)
	})
}

func itemsOf(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

// manyLevels requests 32 sets of totals and 32 shares over 64 metrics that cannot be added.
func manyLevels(ctx context.Context, t *testing.T, s *server) {
	groups := itemsOf(6, func(i int) string {
		return fmt.Sprintf(`{"name":"c%d","expression":"orders.order_id %% %d"}`, i, i+2)
	})
	metrics := itemsOf(64, func(i int) string {
		return fmt.Sprintf(`{"name":"m%d","expression":"COUNT(DISTINCT orders.customer_id + %d) / NULLIF(COUNT(DISTINCT orders.order_id %% %d), 0)"}`, i, i, i+2)
	})
	totals := itemsOf(32, func(i int) string { // the bits of i choose the columns
		var columns []string
		for c := range 6 {
			if i>>c&1 == 1 {
				columns = append(columns, fmt.Sprintf(`"c%d"`, c))
			}
		}
		return "[" + strings.Join(columns, ",") + "]"
	})
	shares := itemsOf(32, func(i int) string { return fmt.Sprintf(`{"metric":"m%d","of":["c%d"]}`, i, i%6) })
	expectBounded(ctx, t, s, "32 totals and 32 shares over 64 metrics",
		`{"metrics":[`+metrics+`],"group_by":[`+groups+`],"totals":[`+totals+`],"shares":[`+shares+`]}`)
}

// filledLevels fills the most buckets that a query may have, alone, beside 64 metrics and 32 sets of totals,
// and requests one bucket more.
func filledLevels(ctx context.Context, t *testing.T, s *server) {
	const (
		time      = `{"field":"metric_time","grain":"day"}`
		days      = `"time_range":{"start":"1997-08-16","end":"2025-01-01"},"fill":{"value":0}` // 10,000 of them
		oneMore   = `"time_range":{"start":"1997-08-15","end":"2025-01-01"},"fill":{"value":0}`
		partGroup = `{"name":"part","expression":"orders.order_id % 97"}`
	)
	metrics := itemsOf(64, func(i int) string {
		return fmt.Sprintf(`{"name":"m%d","expression":"COUNT(DISTINCT orders.customer_id + %d)"}`, i, i)
	})
	groups := time + "," + itemsOf(5, func(i int) string {
		return fmt.Sprintf(`{"name":"c%d","expression":"orders.order_id %% %d"}`, i, i+2)
	})
	totals := itemsOf(32, func(i int) string { // the bits of i choose the columns, and every second level keeps the days
		var columns []string
		if i%2 == 1 {
			columns = append(columns, `"metric_time__day"`)
		}
		for c := range 4 {
			if i>>(c+1)&1 == 1 {
				columns = append(columns, fmt.Sprintf(`"c%d"`, c))
			}
		}
		return "[" + strings.Join(columns, ",") + "]"
	})
	expectBounded(ctx, t, s, "10,000 filled days", `{"metrics":[`+metrics+`],"group_by":[`+time+`],`+days+`}`)
	expectBounded(ctx, t, s, "10,000 filled days with 32 totals over 64 metrics",
		`{"metrics":[`+metrics+`],"group_by":[`+groups+`],`+days+`,"totals":[`+totals+`],"limit":10}`)
	expectRefusal(ctx, t, s, "10,001 filled days", `{"metrics":["revenue"],"group_by":[`+time+`],`+oneMore+`}`, "fill_too_large")
	expectRefusal(ctx, t, s, "10,000 filled days of a group without a limit", `{"metrics":["revenue"],"group_by":[`+time+`,`+partGroup+`],`+days+`}`, "fill_too_large")
}

const millionValues = `      - name: million
        source: SELECT i, i % 1000 AS part FROM range(1000000) AS t(i)
        fields:
          - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
          - {name: part, expression: {dialects: [{dialect: ANSI_SQL, expression: part}]}}
`

// withMillion adds a dataset with a million values.
func withMillion(model string) string {
	return strings.Replace(model, "    datasets:\n", "    datasets:\n"+millionValues, 1)
}

// topOfMillion keeps the largest of a million values, also for each of a thousand groups.
func topOfMillion(ctx context.Context, t *testing.T, s *server) {
	const metrics = `"metrics":[{"name":"n","expression":"COUNT(million.i)"},{"name":"most","expression":"MAX(million.i)"}]`
	for what, body := range map[string]string{
		"top of a million values":        `{` + metrics + `,"group_by":[{"field":"million.i"}],"top":{"dimension":"i","n":1000,"by":"most"}}`,
		"top within a thousand groups":   `{` + metrics + `,"group_by":[{"field":"million.part"},{"field":"million.i"}],"top":{"dimension":"i","n":1000,"within":["part"]},"totals":[[],["part"]],"limit":10}`,
		"a share of a million values":    `{` + metrics + `,"group_by":[{"field":"million.i"}],"shares":[{"metric":"n"}],"limit":10}`,
		"distinct of a million values":   `{"group_by":[{"field":"million.i"}],"distinct":true,"limit":10}`,
		"an expression over many values": `{` + metrics + `,"group_by":[{"name":"e","expression":"CONCAT(CAST(million.i AS VARCHAR), 'x')"}],"limit":10}`,
	} {
		expectBounded(ctx, t, s, what, body)
	}
}

// deepTexts are expressions of a query that are long, deep or grow when they are expanded.
func deepTexts(ctx context.Context, t *testing.T, s *server) {
	deep := strings.Repeat("ABS(", 5000) + "orders.amount" + strings.Repeat(")", 5000)
	long := strings.Repeat("orders.amount + ", 8000) + "1"
	doubled := func(first, next string) string {
		return itemsOf(32, func(i int) string {
			if i == 0 {
				return first
			}
			return strings.NewReplacer("NEW", strconv.Itoa(i), "OLD", strconv.Itoa(i-1)).Replace(next)
		})
	}
	metric := func(expression string) string {
		return `{"metrics":[{"name":"m","expression":"SUM(` + expression + `)"}]}`
	}
	group := func(expression string) string {
		return `{"metrics":["revenue"],"group_by":[{"name":"g","expression":"` + expression + `"}]}`
	}
	field := func(expression string) string {
		return `{"metrics":["revenue"],"with":[{"dataset":"orders","name":"f","expression":"` + expression + `"}]}`
	}
	for what, write := range map[string]func(string) string{"a metric": metric, "a group": group, "a field": field} {
		expectRefusal(ctx, t, s, what+" of great depth", write(deep), "unsupported_expression", "unparseable_expression")
		expectRefusal(ctx, t, s, what+" of a long text", write(long), "unsupported_expression", "unparseable_expression")
	}
	expectRefusal(ctx, t, s, "metrics that double", `{"metrics":[`+
		doubled(`{"name":"m0","expression":"SUM(orders.amount)"}`, `{"name":"mNEW","expression":"mOLD + mOLD"}`)+`]}`,
		"bad_request", "unsupported_expression", "unparseable_expression", "memory_limit")
	expectRefusal(ctx, t, s, "fields that double", `{"metrics":["revenue"],"group_by":[{"field":"orders.f31"}],"with":[`+
		doubled(`{"dataset":"orders","name":"f0","expression":"amount"}`, `{"dataset":"orders","name":"fNEW","expression":"fOLD + fOLD"}`)+`]}`,
		"bad_request", "unsupported_expression", "unparseable_expression")
}

// unknownZones are names of zones that may reach a file or a table of the server.
func unknownZones(ctx context.Context, t *testing.T, s *server) {
	for _, zone := range []string{
		"../../../../etc/passwd", "/etc/localtime", "Local", "UTC+1", "+01:00", "Europe/Berlin\x00", "europe/berlin/..", "'; DROP TABLE orders --", strings.Repeat("A/", 500),
	} {
		body := `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"day"}],"time_zone":` + strconv.Quote(zone) + `}`
		got := s.execute(ctx, body)
		if got.status == http.StatusOK || got.status == http.StatusInternalServerError || got.status == 0 {
			t.Errorf("%.40s: %d %.300s", zone, got.status, got.body)
		}
	}
}
