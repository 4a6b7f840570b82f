package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// ExpectedError is an error.json: the fields that an error must have. Fields left out are not
// checked.
type ExpectedError struct {
	Code           string   `json:"code"`
	Metrics        []string `json:"metrics"`
	Candidates     []string `json:"candidates"`
	SuggestedRetry string   `json:"suggested_retry"`
	Location       string   `json:"location"`

	// Retry is the suggested retry as the JSON object that its text must hold.
	Retry json.RawMessage `json:"retry"`
	// CandidatesSet are the candidates in any order, CandidatesInclude some of
	// them, FirstCandidate the nearest.
	CandidatesSet     []string `json:"candidates_set"`
	CandidatesInclude []string `json:"candidates_include"`
	FirstCandidate    string   `json:"first_candidate"`
	// Has names fields that must not be empty; their content is not checked.
	Has []string `json:"has"`
}

// WireError is the error of a query as it goes over the wire.
type WireError struct {
	Code           string   `json:"code"`
	Message        string   `json:"message"`
	Metrics        []string `json:"metrics"`
	Candidates     []string `json:"candidates"`
	SuggestedRetry string   `json:"suggested_retry"`
	Hint           string   `json:"hint"`
	Location       string   `json:"location"`
}

// ParseExpectedError parses error.json.
func (c *Case) ParseExpectedError() (*ExpectedError, error) {
	d := json.NewDecoder(strings.NewReader(c.Section("error.json")))
	d.DisallowUnknownFields()
	var r ExpectedError
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("error.json: %w", err)
	}
	return &r, nil
}

// ListDifferences compares an error with what the case expects and returns what differs.
func (r *ExpectedError) ListDifferences(got WireError) []string {
	var out []string
	differ := func(field, diff string) {
		if diff != "" {
			out = append(out, field+" (-want +got):\n"+diff)
		}
	}
	differ("code", cmp.Diff(r.Code, got.Code))
	if r.Location != "" {
		differ("location", cmp.Diff(r.Location, got.Location))
	}
	if r.Metrics != nil {
		differ("metrics", cmp.Diff(r.Metrics, got.Metrics))
	}
	if r.Candidates != nil {
		differ("candidates", cmp.Diff(r.Candidates, got.Candidates))
	}
	if r.CandidatesSet != nil {
		sorted := cmpopts.SortSlices(func(a, b string) bool { return a < b })
		differ("candidates", cmp.Diff(r.CandidatesSet, got.Candidates, sorted))
	}
	for _, want := range r.CandidatesInclude {
		if !slices.Contains(got.Candidates, want) {
			out = append(out, fmt.Sprintf("candidates lack %s: %v", want, got.Candidates))
		}
	}
	if r.FirstCandidate != "" && (len(got.Candidates) == 0 || got.Candidates[0] != r.FirstCandidate) {
		out = append(out, fmt.Sprintf("the first candidate is not %s: %v", r.FirstCandidate, got.Candidates))
	}
	if r.SuggestedRetry != "" {
		differ("suggested_retry", cmp.Diff(r.SuggestedRetry, got.SuggestedRetry))
	}
	if r.Retry != nil {
		differ("suggested_retry", diffJSON(r.Retry, got.SuggestedRetry))
	}
	for _, field := range r.Has {
		if got.isEmptyField(field) {
			out = append(out, field+" is empty")
		}
	}
	if got.Message == "" {
		out = append(out, "message is empty")
	}
	return out
}

func (w WireError) isEmptyField(field string) bool {
	switch field {
	case "metrics":
		return len(w.Metrics) == 0
	case "candidates":
		return len(w.Candidates) == 0
	case "suggested_retry":
		return w.SuggestedRetry == ""
	case "hint":
		return w.Hint == ""
	case "location":
		return w.Location == ""
	}
	return true
}

func diffJSON(want json.RawMessage, got string) string {
	var w, g any
	if err := decodeJSON(want, &w); err != nil {
		return err.Error()
	}
	if err := decodeJSON([]byte(got), &g); err != nil {
		return fmt.Sprintf("no JSON: %q", got)
	}
	return cmp.Diff(w, g)
}

func decodeJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}
