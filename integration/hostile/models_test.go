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

// modelAround returns a model of one dataset with a field and metrics of the given text.
func modelAround(field, metrics string) string {
	return "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: d\n    source: t\n    fields:\n" +
		"      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}\n" + field +
		"metrics:\n" + metrics
}

func metricOf(name, expression string) string {
	return "  - {name: " + name + ", expression: {dialects: [{dialect: ANSI_SQL, expression: " + strconv.Quote(expression) + "}]}}\n"
}

// expectValidation sends a model to be validated, several times at once. Each is judged, rejected
// for its size, or has to wait for a slot.
func expectValidation(ctx context.Context, t *testing.T, s *server, what, model string) {
	t.Helper()
	body := `{"model":` + strconv.Quote(model) + `}`
	runParallel(8, func(int) {
		switch got := s.ask(ctx, http.MethodPost, "/v1/validate", body); got.status {
		case http.StatusOK, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests:
		default:
			t.Errorf("%s: %d %.200s", what, got.status, got.body)
		}
	})
}

// longModels are models of most of a megabyte that took a core for minutes.
func longModels(ctx context.Context, t *testing.T, s *server) {
	branches := make([]string, 20_000)
	for i := range branches {
		branches[i] = fmt.Sprintf("WHEN id = %d THEN %d", i, i)
	}
	for what, model := range map[string]string{
		"a CASE of many branches": modelAround("      - {name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: "+
			strconv.Quote("CASE "+strings.Join(branches, " ")+" END")+"}]}}\n", metricOf("n", "COUNT(d.id)")),
		"a CONCAT of many arguments": modelAround("      - {name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: "+
			strconv.Quote("CONCAT("+strings.Repeat("id,", 250_000)+"id)")+"}]}}\n", metricOf("n", "COUNT(d.id)")),
		"many unknown names": modelAround("", metricOf("n", "SUM("+strings.Repeat("d.nope + ", 80_000)+"1)")),
	} {
		expectValidation(ctx, t, s, what, model)
	}
}

// aliasBomb is a model that repeats one long text by YAML aliases.
func aliasBomb(ctx context.Context, t *testing.T, s *server) {
	var metrics strings.Builder
	items := make([]string, 40_000)
	for i := range items {
		items[i] = strconv.Itoa(i)
	}
	fmt.Fprintf(&metrics, "  - {name: m0, expression: &long {dialects: [{dialect: ANSI_SQL, expression: %q}]}}\n",
		"SUM(CASE WHEN d.id IN ("+strings.Join(items, ",")+") THEN 1 END)")
	for i := range 5000 {
		fmt.Fprintf(&metrics, "  - {name: m%d, expression: *long}\n", i+1)
	}
	expectValidation(ctx, t, s, "one text under many names", modelAround("", metrics.String()))
}

// manyColumns requests more columns than a query may have.
func manyColumns(ctx context.Context, t *testing.T, s *server) {
	var ranges []string
	for i := range 3000 {
		ranges = append(ranges, fmt.Sprintf(`"r%d":{"start":"2024-01-01","end":"2024-02-01"}`, i))
	}
	body := `{"metrics":["revenue","order_count"],"time_ranges":{` + strings.Join(ranges, ",") + `}}`
	runParallel(8, func(int) {
		if got := s.ask(ctx, http.MethodPost, "/v1/query/compile", body); got.status != http.StatusBadRequest && !waitsForMemory(got) {
			t.Errorf("%d %.200s", got.status, got.body)
		}
	})
}
