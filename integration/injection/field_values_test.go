package injection_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldLetters returns a text without case and marks: engines differ in the small letter of İ.
func foldLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(cases.Fold().String(text)))
}

// checkFieldValues requests the values that contain each text.
func (h *testServer) checkFieldValues(t *testing.T, n *tally) {
	n.inputs++
	var all []sentRequest
	for _, x := range texts() {
		if x.json != "" || len(x.value) > 1000 {
			continue
		}
		address := url.Values{"field": {"notes.body"}, "like": {x.value}, "limit": {"1000"}, "fresh": {"true"}}
		if h.connection != "" {
			address.Set("connection", h.connection)
		}
		a := h.sendChecked(t, n, "values like "+x.name, request{method: "GET", path: "/v1/values?" + address.Encode()})
		if !x.wellFormed() || len([]rune(x.value)) > 200 {
			if a.status != http.StatusBadRequest {
				t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
			}
			all = append(all, a)
			continue
		}
		var found struct {
			Values []struct {
				Value *string
				Count int
			}
			Match string
		}
		if err := json.Unmarshal([]byte(a.text), &found); err != nil || a.status != http.StatusOK {
			t.Fatalf("%s: %d %.300s", a.what, a.status, a.text)
		}
		if len(found.Values) == 0 || found.Match != "" {
			a.unseen = 1 // of the two statements, the one that did not give the values
		}
		all = append(all, a)
		got := map[string]bool{}
		for _, v := range found.Values {
			if v.Value == nil {
				if x.value != "" {
					t.Errorf("%s finds null", a.what)
				}
				continue
			}
			got[*v.Value] = true
			if found.Match == "" && !strings.Contains(foldLetters(*v.Value), foldLetters(x.value)) {
				t.Errorf("%s finds %q", a.what, *v.Value)
			}
		}
		for _, stored := range storable() {
			if strings.Contains(stored.value, x.value) && !got[stored.value] {
				t.Errorf("%s does not find %q\n%.1000s", a.what, stored.value, a.sql)
			}
		}
	}
	h.checkStatements(t, n, all)
}
