package restapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

func TestBodies_ShareMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}) // 4 MiB for messages
	messages, plans := budget.Part(memory.Messages), budget.Part(memory.Plans)
	s := shop(t, "orders", restapi.Config{Memory: budget})
	base := live(t, s)
	mounted := httptest.NewServer(s.Handler(""))
	defer mounted.Close()
	long := `{"metrics": ["revenue"]` + strings.Repeat(" ", 400<<10) + `}`
	check := func(what, base, body string, status int, code string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/query/compile", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got := send(t, r)
		if got.status != status || !strings.Contains(got.body, code) {
			t.Errorf("%s: %d %.300s, want %d %s", what, got.status, got.body, status, code)
		}
	}
	for _, base := range []string{base, mounted.URL} {
		held, err := messages.Reserve(messages.Capacity() - 100<<10)
		if err != nil {
			t.Fatal(err)
		}
		check("a long body while others hold the share", base, long, http.StatusTooManyRequests, "memory_limit")
		check("a short body", base, `{"metrics": ["revenue"]}`, http.StatusOK, "sql")
		held.Release()
		if held, err = plans.Reserve(plans.Capacity() - 100<<10); err != nil {
			t.Fatal(err)
		}
		check("a long body that cannot be decoded", base, long, http.StatusTooManyRequests, "memory_limit")
		held.Release()
		check("a long body afterwards", base, long, http.StatusOK, "sql")
		testwait.Until(t, "nothing is held", func() bool { return messages.Held() == 0 && plans.Held() == 0 })
	}
}
