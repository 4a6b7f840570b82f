package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// A server of data files without a model: a new file is a table, and the model is generated again.
func TestServe_ReloadsDataFilesAndTheModelOfThem(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := replaceFileAtomically(filepath.Join(folder, name), text); err != nil {
			t.Fatal(err)
		}
	}
	put("trips.csv", "trip_id,fare\n1,10\n2,20\n")
	s := start(t, "serve", "--data", folder, "--watch", "--bind", "127.0.0.1:0")
	total := func(metric, want string) func() bool {
		return func() bool {
			_, body := post(t, s.base+"/v1/query/execute", `{"metrics":["`+metric+`"]}`)
			return strings.Contains(body, `"rows":[{"`+metric+`":`+want+`}]`)
		}
	}
	testwait.Until(t, "the first files are served", total("total_fare", "30"))
	put("bikes.csv", "bike_id,weight\n1,7\n2,8\n")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "SIGHUP finds the new file", total("total_weight", "15"))
	put("shops.csv", "shop_id,staff\n1,3\n2,4\n")
	testwait.Until(t, "the watched folder shows the next file", total("total_staff", "7"))
	put("shops.parquet", "this is not Parquet")
	testwait.Until(t, "two files of one table are refused", func() bool { return strings.Contains(s.err(), "the tables stay as they were") })
	if !total("total_staff", "7")() || !total("total_fare", "30")() {
		t.Error("the tables are not as they were")
	}
	ready := func(part string) func() bool {
		return func() bool {
			_, body := ask(t, s.base+"/ready", "")
			return strings.Contains(body, part) && !strings.Contains(body, "shops")
		}
	}
	testwait.Until(t, "/ready has the reason", ready(`{"status":"ready","reload_error":{"code":"config","message":"the data files cannot be read: the tables stay as they were","at":"2`))
	if err := os.Remove(filepath.Join(folder, "shops.parquet")); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "good files end it", ready(`{"status":"ready"}`))
}

// The log of a server may lie in the folder above its data, which is also its working directory.
func TestServe_GeneratesNoModelForAChangeOfAnotherFile(t *testing.T) {
	above := t.TempDir()
	folder := filepath.Join(above, "data")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(folder, "trips.csv"), "trip_id,fare\n1,10\n2,20\n")
	t.Chdir(above)
	s := start(t, "serve", "--data", folder, "--watch", "--bind", "127.0.0.1:0")
	for _, name := range []string{"server.log", "data/server.log"} {
		put(filepath.Join(above, name), "a line")
	}
	put(filepath.Join(folder, "bikes.csv"), "bike_id,weight\n1,7\n2,8\n")
	testwait.Until(t, "the new file is served", func() bool {
		_, body := post(t, s.base+"/v1/query/execute", `{"metrics":["total_weight"]}`)
		return strings.Contains(body, `"rows":[{"total_weight":15}]`)
	})
	if n := strings.Count(s.err(), "no model was given: generated one"); n != 2 {
		t.Errorf("%d models were generated:\n%s", n, s.err())
	}
}
