package injection_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

// request is one request. The token is added unless the header has another.
type request struct {
	method, path, body string
	header             [][2]string
}

// response is what came of it.
type response struct {
	status  int
	text    string
	code    string // of an error
	sql     string
	columns []string
	rows    []map[string]any
}

// longest is how long a response may take: well below the sleeps of the texts.
const longest = testwait.Deadline

func (h *testServer) ask(t *testing.T, r request) response {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodPost
	}
	q, err := http.NewRequestWithContext(t.Context(), method, h.base+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	q.Header.Set("Content-Type", "application/json")
	for _, pair := range r.header {
		if pair[0] == "Host" {
			q.Host = pair[1]
		}
		q.Header.Set(pair[0], pair[1])
	}
	begun := time.Now()
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatalf("%s %s: %v\n%.500s", method, r.path, err, r.body)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > longest {
		t.Errorf("%s %s took %s\n%.500s", method, r.path, took, r.body)
	}
	a := response{status: got.StatusCode, text: string(body)}
	a.check(t, r)
	return a
}

// check reads the response, and checks the rules that hold for every response.
func (a *response) check(t *testing.T, r request) {
	t.Helper()
	complain := func(what string) {
		t.Helper()
		t.Errorf("%s: %s %.500s\n%d %.500s", what, r.path, r.body, a.status, a.text)
	}
	if strings.Contains(a.text, canary.secret) {
		complain("the canary sings")
	}
	if !json.Valid([]byte(a.text)) {
		if a.status < 400 && len(r.header) > 0 {
			return // a stream that a header requested
		}
		complain("the answer is no JSON")
		return
	}
	var body struct {
		Error   *struct{ Code, Message string }
		SQL     string
		Columns []string
		Rows    []map[string]any
	}
	if a.text[0] == '{' {
		if err := json.Unmarshal([]byte(a.text), &body); err != nil {
			complain(err.Error())
			return
		}
	}
	a.sql, a.columns, a.rows = body.SQL, body.Columns, body.Rows
	if (a.status == http.StatusOK) == (body.Error != nil) {
		complain("the status does not go with the answer")
		return
	}
	if body.Error == nil {
		return
	}
	a.code = body.Error.Code
	if !slices.Contains(codes(), a.code) || body.Error.Message == "" {
		complain("a refusal without a code of the registries")
	}
	if a.status >= 500 && a.code != "sql_rejected" && a.code != "not_implemented" {
		complain("a failure")
	}
	if len(a.text) > 64<<10 {
		complain("a refusal that says it all again")
	}
}

// codes returns the error codes that a caller may receive; a defect is not among them.
func codes() []string {
	out := []string{"bad_request", "unauthorized", "forbidden"}
	for _, c := range engine.Codes() {
		if c.Code != "internal" && c.Retired == "" {
			out = append(out, c.Code)
		}
	}
	return out
}

// rows sends a query and returns its rows. It fails the test on an error.
func (h *testServer) rows(t *testing.T, path, body string) []map[string]any {
	t.Helper()
	a := h.ask(t, request{path: path, body: body})
	if a.status != http.StatusOK {
		t.Fatalf("%s %s\n%s", path, body, a.text)
	}
	return a.rows
}

func (a response) rowsText(t *testing.T) string {
	t.Helper()
	text, err := json.MarshalIndent(a.rows, "", " ")
	if err != nil || a.status != http.StatusOK {
		t.Fatal(err, a.text)
	}
	return string(text)
}
