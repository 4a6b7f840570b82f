package pgclients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// facts are what a client found out, by name.
type facts map[string]string

// expected are the facts of testdata/shop.yaml over testdata/data.sql, written by hand. The rows of numbers are those from 0 to 9999.
var expected = facts{
	"connect":     "15.0",
	"list":        "customers,numbers,orders,shop",
	"describe":    "order_id,customer_id,order_date,status,amount,gift,weight,revenue",
	"types":       "bigint,bigint,date,text,numeric,boolean,double precision,numeric",
	"key":         "order_id",
	"foreign key": "customer_id>customers",
	"fields":      "order_id,customer_id,order_date,status,amount,gift,weight",
	"field types": "bigint,bigint,date,text,numeric,boolean,double precision",
	"query":       "east|340.00|4;west|110.00|2",
	"binary":      "east|340.00|4;west|110.00|2",
	"parameter":   "1|100.00;3|80.00;5|120.00",
	"null":        "true|NULL;NULL|0.1",
	"cursor":      "10000/49995000",
	"stream":      "10000/49995000",
	"copy":        "10000/49995000",
	"pipeline":    "6,4,1",
	"error":       "42703",
	"cancel":      "57014",
	"again":       "6",
}

// required are the facts that every client finds; of the two in one line, either.
var required = [][]string{{"connect"}, {"list"}, {"describe", "fields"}, {"query"}, {"error"}, {"cancel"}, {"again"}}

// typeNames are the names that clients give types, with those of SQL.
var typeNames = strings.NewReplacer("int8", "bigint", "bool,", "boolean,", "float8", "double precision", "double_precision", "double precision")

// trueValue is how clients write true.
var trueValue = regexp.MustCompile(`^(1|t|True)\|`)

// readFacts reads the lines that a client printed.
func readFacts(output string) facts {
	out := facts{}
	for line := range strings.Lines(output) {
		name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !found {
			continue
		}
		switch name {
		case "types", "field types":
			value = typeNames.Replace(value)
		case "null":
			value = trueValue.ReplaceAllString(value, "true|")
		}
		out[name] = value
	}
	return out
}

// revenueOfFebruary returns what REST has for a metric by a field in a month, as clients print rows.
func revenueOfFebruary(t *testing.T, address string) string {
	t.Helper()
	const body = `{"metrics": ["revenue"], "group_by": [{"field": "orders.status"}], "order_by": [{"key": "status"}],
		"time_range": {"dimension": "orders.order_date", "start": "2024-02-01", "end": "2024-03-01"}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/v1/query/execute", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+password)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var read struct {
		Rows []struct {
			Status  string
			Revenue float64
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&read); err != nil || len(read.Rows) != 2 {
		t.Fatalf("%s: %d rows, %v", response.Status, len(read.Rows), err)
	}
	var out []string
	for _, row := range read.Rows {
		out = append(out, fmt.Sprintf("%s|%.2f", row.Status, row.Revenue))
	}
	return strings.Join(out, ";")
}

// compare lists the facts of a client that are not the expected ones, and those that are missing. OfREST are the facts that REST shows.
func (f facts) compare(c client, ofREST facts) []string {
	var out []string
	for name, value := range f {
		want, known := expected[name]
		if rows, ok := ofREST[name]; ok {
			want, known = rows, true
		}
		if other, ok := c.differs[name]; ok {
			want = other
		}
		switch {
		case !known:
			out = append(out, "a fact that is not known: "+name+": "+value)
		case value != want:
			out = append(out, name+": "+value+", want "+want)
		}
	}
	for _, names := range required {
		if _, ok := f[names[0]]; !ok && f[names[len(names)-1]] == "" && !slices.Contains(c.lacks, names[0]) {
			out = append(out, names[0]+" is missing")
		}
	}
	return out
}
