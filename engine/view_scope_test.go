package engine_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// toursModel has two relationships from tours to people, and views that show parts of it.
const toursModel = `
version: 0.2.0.dev0
name: tours
description: All tours.
datasets:
  - name: tour
    source: tour
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: guide_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: guide_id}]}}
      - {name: guest_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: guest_id}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: state, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: state}]}}
      - {name: price, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}}
  - name: person
    source: person
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: town, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: hobby, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: hobby}]}}
relationships:
  - {name: guide, from: tour, to: person, from_columns: [guide_id], to_columns: [id]}
  - {name: guest, from: tour, to: person, from_columns: [guest_id], to_columns: [id]}
metrics:
  - {name: takings, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(tour.price)}]}}
  - {name: tour_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(tour.id)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10",
       "views": [
        {"name": "sold", "description": "Tours that took place.", "ai_context": {"synonyms": ["excursions"]},
         "metrics": ["takings"], "fields": ["tour.day", "tour.state", "guest.town"], "joins": [],
         "where": "tour.state <> 'cancelled'", "filters": ["tour.state <> 'open'"],
         "labels": {"takings": "Earnings", "guest.town": "Residence"},
         "folders": [{"name": "People", "items": [], "folders": [{"name": "Guests", "items": ["guest.town"]}]}, {"name": "Money", "items": ["takings"]}]},
        {"name": "guided", "fields": ["person.*", "tour.*"], "except": ["tour.price"], "joins": ["guide"]}],
       "queries": [
        {"name": "sold_by_town", "query": {"view": "sold", "metrics": ["takings"], "group_by": [{"field": "guest.town"}]}},
        {"name": "all_takings", "query": {"metrics": ["takings"]}}]}
`

const toursData = `
CREATE TABLE person (id INT, town VARCHAR, hobby VARCHAR);
INSERT INTO person VALUES (1, 'Ulm', 'chess'), (2, 'Bonn', 'chess'), (3, 'Ulm', 'golf');
CREATE TABLE tour (id INT, guide_id INT, guest_id INT, day DATE, state VARCHAR, price INT);
INSERT INTO tour VALUES (1, 3, 1, '2024-01-05', 'done', 10), (2, 3, 2, '2024-01-06', 'done', 20), (3, 3, 1, '2024-02-01', 'open', 40), (4, 1, 2, '2024-02-02', 'cancelled', 80)`

func tours(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelText: []byte(toursModel), Setup: []string{toursData}})
}

func inView(t *testing.T, e *engine.Engine, name string) *engine.Engine {
	t.Helper()
	scoped, err := e.InView(name)
	if err != nil {
		t.Fatal(err)
	}
	return scoped
}

func TestInView_ListsWhatTheViewHas(t *testing.T) {
	t.Parallel()
	e := tours(t)
	sold := inView(t, e, "SOLD")
	metrics := metricsOf(t, sold)
	if len(metrics) != 1 || metrics[0].Name != "takings" || metrics[0].Label != "Earnings" || metrics[0].Folder != "Money" {
		t.Errorf("metrics: %+v", metrics)
	}
	for metric, want := range map[string]string{
		"":        "tour.day||, tour.state||, guest.town|Residence|People/Guests",
		"takings": "metric_time||, tour.day||, tour.state||, guest.town|Residence|People/Guests",
	} {
		list, err := sold.Dimensions(t.Context(), metric)
		if err != nil {
			t.Fatal(err)
		}
		if got := dimensionTexts(list); got != want {
			t.Errorf("dimensions of %q: %s", metric, got)
		}
	}
	list, err := inView(t, e, "guided").Dimensions(t.Context(), "takings")
	if err != nil {
		t.Fatal(err)
	}
	// Persons are reached by the guide alone, without a prefix.
	if got := dimensionTexts(list); got != "metric_time||, person.id||, person.town||, person.hobby||, tour.id||, tour.guide_id||, tour.guest_id||, tour.day||, tour.state||" {
		t.Errorf("dimensions in guided: %s", got)
	}
	if got := sold.Datasets(); len(got) != 1 || got[0].Name != "tour" || got[0].Fields != 2 || !slices.Equal(got[0].TimeDimensions, []string{"tour.day"}) {
		t.Errorf("datasets: %+v", got)
	}
	if got := sold.Relationships(); len(got) != 0 {
		t.Errorf("relationships: %+v", got)
	}
	if got := sold.SavedQueries(); len(got) != 1 || got[0].Name != "sold_by_town" {
		t.Errorf("saved queries: %+v", got)
	}
	if got := sold.Views(); len(got) != 1 || got[0].Name != "sold" {
		t.Errorf("views: %+v", got)
	}
	if got := sold.Model(); got.View != "sold" || got.Description != "Tours that took place." || got.Metrics != 1 || got.Fields != 3 || got.Datasets != 1 {
		t.Errorf("model: %+v", got)
	}
}

func dimensionTexts(list []describe.Dimension) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Name+"|"+d.Label+"|"+d.Folder)
	}
	return strings.Join(out, ", ")
}

func TestInView_UnknownView(t *testing.T) {
	t.Parallel()
	e := tours(t)
	for _, err := range []error{
		second(e.InView("solt")),
		second(e.Find(t.Context(), &query.FindQuery{Text: "x", View: "solt"})),
		second(e.FieldValues(t.Context(), &query.ValuesQuery{Field: "tour.state", Limit: 5, View: "solt"})),
	} {
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeUnknownView || !slices.Contains(refused.Candidates, "sold") || refused.SuggestedRetry != "" && refused.SuggestedRetry != `{"view":"sold"}` {
			t.Errorf("%v: %+v", err, refused)
		}
	}
	if _, err := inView(t, e, "sold").InView("guided"); codeOf(err) != planerr.CodeUnknownView {
		t.Errorf("another view in a view: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestInView_FindNamesMembers(t *testing.T) {
	t.Parallel()
	e := tours(t)
	for _, c := range []struct {
		q    query.FindQuery
		want string // kind name use, of each hit in any order
	}{
		{query.FindQuery{Text: "excursions"}, `view sold {"view":"sold"}`},
		{query.FindQuery{Text: "town", View: "sold"}, `dimension guest.town {"group_by":[{"field":"guest.town"}],"view":"sold"}; saved sold_by_town {"saved":"sold_by_town"}`},
		{query.FindQuery{Text: "residence", View: "sold"}, `dimension guest.town {"group_by":[{"field":"guest.town"}],"view":"sold"}`},
		{query.FindQuery{Text: "town", Kinds: []string{"dimension"}, View: "guided"}, `dimension guide.town {"group_by":[{"field":"guide.town"}],"view":"guided"}; dimension person.town {"group_by":[{"field":"person.town"}],"view":"guided"}`},
		{query.FindQuery{Text: "town", Kinds: []string{"dimension"}, Metrics: []string{"takings"}, View: "guided"}, `dimension person.town {"group_by":[{"field":"person.town"}],"view":"guided"}`},
		{query.FindQuery{Text: "price", Kinds: []string{"dimension"}, View: "guided"}, ``},
	} {
		found, err := e.Find(t.Context(), &c.q)
		if err != nil {
			t.Errorf("%+v: %v", c.q, err)
			continue
		}
		var got []string
		for _, h := range found.Hits {
			if found.Match == "near" {
				continue
			}
			use, err := json.Marshal(h.Use)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, h.Kind+" "+h.Name+" "+string(use))
		}
		slices.Sort(got)
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%+v\ngot  %s\nwant %s", c.q, text, c.want)
		}
	}
}

// The where of a view chooses the rows whose values are listed, its filters do not.
func TestInView_ValuesAreThoseOfTheView(t *testing.T) {
	t.Parallel()
	e := tours(t)
	for body, want := range map[string]string{
		`{"field":"tour.state","view":"sold"}`: `{"field":"tour.state","values":[{"value":"done","count":2},{"value":"open","count":1}],"complete":true,"row_count":2,"cached":false,"dialect":"","sql":""}`,
		`{"field":"guest.town","view":"sold"}`: `{"field":"person.town","values":[{"value":"Ulm","count":2},{"value":"Bonn","count":1}],"complete":true,"row_count":2,"cached":false,"dialect":"","sql":""}`,
		`{"field":"tour.price","view":"sold"}`: `unknown_dimension: the model has no dimension tour.price`,
	} {
		if got := valuesText(t, e, body); got != want && !strings.HasPrefix(got, strings.SplitAfter(want, ":")[0]) || strings.HasPrefix(want, "{") && got != want {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
	if _, err := e.IndexValues(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	found, err := e.Find(t.Context(), &query.FindQuery{Text: "Bonn", View: "sold"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Hits) != 1 || found.Hits[0].Name != "guest.town" || found.Hits[0].Use.WhereSQL != "guest.town = 'Bonn'" {
		t.Errorf("%+v", found.Hits)
	}
	if got, err := inView(t, e, "sold").Find(t.Context(), &query.FindQuery{Text: "chess"}); err != nil || got.Match == "" && len(got.Hits) > 0 {
		t.Errorf("a value of a field that the view does not show: %+v, %v", got, err)
	}
}

func rowsText(t *testing.T, e *engine.Engine, q query.Body) string {
	t.Helper()
	prepared, err := e.Prepare(t.Context(), q)
	if err != nil {
		return err.Error()
	}
	result, err := prepared.Execute(t.Context())
	if err != nil {
		return err.Error()
	}
	return string(result.Rows)
}

// A query of an engine in a view is the query with the key view of the whole engine.
func TestInView_QueriesAreInTheView(t *testing.T) {
	t.Parallel()
	e := tours(t)
	sold := inView(t, e, "sold")
	const byTown = `"metrics":["takings"],"group_by":[{"field":"guest.town"}],"order_by":[{"key":"guest__town"}]`
	const want = `[{"guest__town":"Bonn","takings":20},{"guest__town":"Ulm","takings":10}]`
	for body, of := range map[string]*engine.Engine{`{` + byTown + `}`: sold, `{"view":"sold",` + byTown + `}`: e, `{"view":"Sold",` + byTown + `}`: sold} {
		if got := rowsText(t, of, metricQuery(t, body)); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
	if got := rowsText(t, e, metricQuery(t, `{`+byTown+`}`)); got != `[{"guest__town":"Bonn","takings":100},{"guest__town":"Ulm","takings":50}]` {
		t.Errorf("the whole model keeps a statement of a view: %s", got)
	}
	for _, body := range []string{`{"view":"sold","metrics":["takings"],"group_by":[{"field":"towm"}]}`, `{"metrics":["takings"],"group_by":[{"field":"towm"}]}`} {
		of := sold
		if strings.Contains(body, "view") {
			of = e
		}
		prepared, err := of.Prepare(t.Context(), metricQuery(t, body))
		if err != nil {
			t.Fatal(err)
		}
		_, err = prepared.SQL(t.Context())
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != planerr.CodeUnknownDimension || !slices.Contains(refused.Candidates, "guest.town") || slices.Contains(refused.Candidates, "person.town") {
			t.Errorf("%s: %+v", body, refused)
		}
	}
	if got := rowsText(t, sold, metricQuery(t, `{"view":"guided","metrics":["takings"]}`)); !strings.HasPrefix(got, planerr.CodeUnknownView) {
		t.Errorf("another view: %s", got)
	}
	if got := rowsText(t, sold, metricQuery(t, `{"saved":"all_takings"}`)); !strings.HasPrefix(got, planerr.CodeUnknownSavedQuery) {
		t.Errorf("a saved query of no view: %s", got)
	}
}

func TestInView_StatementsFindItsRelationAlone(t *testing.T) {
	t.Parallel()
	e := tours(t)
	sold := inView(t, e, "sold")
	if got := sold.Relations(); len(got) != 1 || got[0].Name != "sold" {
		t.Fatalf("relations: %+v", got)
	}
	for statement, want := range map[string]string{
		// Filters of the view do not act on statements.
		`SELECT guest__town, MEASURE(takings) AS takings FROM sold GROUP BY 1 ORDER BY 1`:                                           `[{"guest__town":"Bonn","takings":20},{"guest__town":"Ulm","takings":50}]`,
		`SELECT * FROM SEMANTIC_VIEW(sold DIMENSIONS guest.town METRICS takings) ORDER BY 1`:                                        `[{"guest__town":"Bonn","takings":20},{"guest__town":"Ulm","takings":50}]`,
		`SELECT MEASURE(takings) AS takings FROM tours`:                                                                             `unknown_dataset`,
		`SELECT COUNT(*) AS n FROM tour`:                                                                                            `unknown_dataset`,
		`SELECT MEASURE(takings) AS takings FROM guided`:                                                                            `unknown_dataset`,
		`SELECT * FROM SEMANTIC_VIEW(tours METRICS takings)`:                                                                        `unknown_dataset`,
		`SELECT s.town, s.takings FROM (SELECT guest__town AS town, MEASURE(takings) AS takings FROM sold GROUP BY 1) s ORDER BY 1`: `[{"town":"Bonn","takings":20},{"town":"Ulm","takings":50}]`,
	} {
		got := rowsText(t, sold, &query.SQLStatement{SQL: statement})
		if got != want && !(strings.HasPrefix(want, "unknown") && strings.HasPrefix(got, want)) {
			t.Errorf("%s\ngot  %s\nwant %s", statement, got, want)
		}
	}
}
