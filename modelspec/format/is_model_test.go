package format

import "testing"

func TestIsModel_OnlyTextsThatAreNone(t *testing.T) {
	for text, want := range map[string]bool{
		"openapi: 3.1.0\npaths: {}":               false,
		`{"openapi": "3.1.0", "paths": {}}`:       false,
		"- 1\n- 2":                                false,
		"just text":                               false,
		"version: 2\nmodels: []":                  false, // of dbt
		"name: x\nversion: '1'":                   false,
		"version: 0.2.0.dev0\nsemantic_model: []": true,
		"name: x\ndatasets: []":                   true,
		`{"version": "0.2.0.dev0", "name": "x", "metrics": []}`: true,
		"<<: {}":                         true,
		"a: [":                           true, // whose mistake is shown
		"":                               true,
		"\xEF\xBB\xBFsemantic_model: {}": true,
	} {
		if got := IsModel([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
