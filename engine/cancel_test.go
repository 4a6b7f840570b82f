package engine_test

import (
	"context"
	"testing"
)

func TestNothingIsCompiledForACallerWhoIsGone(t *testing.T) {
	e := shop(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.CompileMetrics(gone, query(t, `{"metrics":["revenue"]}`)); codeOf(err) != "timeout" {
		t.Errorf("%v", err)
	}
}
