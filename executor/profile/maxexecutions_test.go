package profile_test

import (
	"strings"
	"testing"
)

func TestMaxExecutions_IsAKeyOfEveryType(t *testing.T) {
	for text, want := range map[string]int{
		"type: duckdb\nuri: x":                                       0,
		"type: duckdb\nuri: x\nmax_executions: 3":                    3,
		"type: postgres\nhost: h\nmax_executions: '12'":              12,
		"type: trino\nhost: h\nusername: u\nmax_executions: ${N:-4}": 4,
	} {
		p, warnings := entry(t, text, noVariables)
		if p.Err != nil || len(warnings) > 0 || p.MaxExecutions != want {
			t.Errorf("%s: %d, %v, %v", text, p.MaxExecutions, p.Err, warnings)
		}
	}
	for _, wrong := range []string{"0", "-1", "many", "1.5"} {
		p, _ := entry(t, "type: duckdb\nuri: x\nmax_executions: "+wrong, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, "max_executions must be an integer from 1") {
			t.Errorf("%s: %v", wrong, e)
		}
	}
}
