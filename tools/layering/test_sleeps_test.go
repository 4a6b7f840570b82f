package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

// waitingTests are the tests that wait for a time, with the reason.
var waitingTests = map[string]string{
	"executor/executortest/fault_proxy.go":      "a slow network pauses between the bytes of a reply",
	"executor/bigquery/fake_test.go":            "a fake service holds a poll for a while before it responds that the job still runs",
	"executor/trino/fake_test.go":               "a fake service holds a poll for a while before it responds that the statement still runs",
	"integration/benchmarks/requesters_test.go": "a benchmark sends requests at a rate",
	"restapi/mounted_handler_test.go":           "a fake execution takes longer than the time that its request has for its body",
}

func TestTests_WaitForStates(t *testing.T) {
	complaints, err := layering.CheckSleepsInTests(loadRepository(t), waitingTests)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckSleepsInTests_FindsWaitsForTimes(t *testing.T) {
	files := twoModules()
	files["base/a_test.go"] = "package a\n\nimport \"time\"\n\nfunc f() {\n\ttime.Sleep(time.Second)\n\t<-time.After(1)\n\t<-time.Tick(1)\n\ttime.NewTicker(1)\n}\n"
	files["base/fake_clock_test.go"] = "package a\n\nimport (\n\t\"testing/synctest\"\n\t\"time\"\n)\n\nfunc g() { synctest.Wait(); time.Sleep(1) }\n"
	files["base/helper.go"] = "package a\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc H(testing.TB) { time.Sleep(1) }\n"
	files["base/retry.go"] = "package a\n\nimport \"time\"\n\nfunc Retry() { time.Sleep(1) }\n"
	files["base/slow_test.go"] = "package a\n\nimport \"time\"\n\nfunc h() { time.Sleep(1) }\n"
	got, err := layering.CheckSleepsInTests(loadFiles(t, files), map[string]string{"base/slow_test.go": "a slow fake", "base/b_test.go": "no file"})
	if err != nil {
		t.Fatal(err)
	}
	const rule = ": a test waits for a state, as executor/testwait does, never for a time"
	want := []string{
		"base/a_test.go:6: time.Sleep" + rule, "base/a_test.go:7: time.After" + rule, "base/a_test.go:8: time.Tick" + rule, "base/helper.go:8: time.Sleep" + rule,
		"base/b_test.go: is allowed to wait for a time, and does not",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
