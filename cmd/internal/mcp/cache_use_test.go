package mcp_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

func TestResults_NameTheUseOfTheResultCache(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelPath: "retail.yaml", ModelText: demo.ModelText(), Setup: []string{demo.DataSQL()}, Logger: slog.New(slog.DiscardHandler),
		CacheMiB: 4, CacheTTL: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	session := direct(t, e, mcp.Config{})
	const query = `{"metrics":["revenue"]}`
	first, _, missed := callTool(t, session, "run_query", query)
	if missed.Meta["cache"] != "miss" || missed.Meta["age"] != nil {
		t.Errorf("the first call has %v", missed.Meta)
	}
	testwait.Until(t, "the result is kept", func() bool { s, _ := e.ResultCacheStats(); return s.Entries == 1 })
	second, _, kept := callTool(t, session, "run_query", query)
	if age, known := kept.Meta["age"].(float64); kept.Meta["cache"] != "hit" || !known || age < 0 || age > 3600 || first != second {
		t.Errorf("the second call has %v: %s, after %s", kept.Meta, second, first)
	}
	if _, _, listed := callTool(t, session, "list_metrics", ""); listed.Meta["cache"] != nil {
		t.Errorf("a list has %v", listed.Meta)
	}
	if _, _, plain := callTool(t, direct(t, retail(t), mcp.Config{}), "run_query", query); plain.Meta["cache"] != nil {
		t.Errorf("without a cache: %v", plain.Meta)
	}
}
