package pgclients

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/program"
)

const (
	database = "shop"
	user     = "me"
	password = "a-token-of-the-clients"

	restVariable = "REST"
)

// slow is a statement that takes longer than any test waits.
const slow = "SELECT SUM(a.n * b.n) FROM (SELECT n, k FROM numbers LIMIT 300000) a JOIN (SELECT n, k FROM numbers LIMIT 300000) b ON a.k = b.k"

// address and restAddress find the addresses of the port and of HTTP in the log.
var (
	address     = regexp.MustCompile(`msg="serving the PostgreSQL port" address=(\S+)`)
	restAddress = regexp.MustCompile(`msg=serving address=(\S+)`)
)

// buildProgram builds the program into a folder.
func buildProgram(t *testing.T, directory string) string {
	t.Helper()
	binary, err := program.Build(directory)
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// startPort serves the shop by the built program until the test ends. It returns the environment of clients.
func startPort(t *testing.T) map[string]string {
	t.Helper()
	directory := t.TempDir()
	data := filepath.Join(directory, "shop.duckdb")
	writeDatabase(t, data)
	return serve(t, buildProgram(t, directory), directory, "testdata/shop.yaml", data)
}

// startRetail serves the model of semlayer init.
func startRetail(t *testing.T) map[string]string {
	t.Helper()
	directory := t.TempDir()
	binary, folder := buildProgram(t, directory), filepath.Join(directory, "retail")
	if out, err := exec.Command(binary, "init", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return serve(t, binary, directory, filepath.Join(folder, "retail.yaml"), filepath.Join(folder, "retail.duckdb"))
}

// serve starts the program until the test ends.
func serve(t *testing.T, binary, directory, model, data string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, binary, "serve", "--model", model, "--db", data, "--bind", "127.0.0.1:0", "--pg-bind", "127.0.0.1:0")
	output := &program.Output{}
	cmd.Env = append(os.Environ(), "HOME="+directory, "SVC_SERVER_TOKEN="+password)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if t.Failed() {
			t.Logf("the server:\n%s", output)
		}
	})
	var found, rest []string
	testwait.Until(t, "the server prints its addresses", func() bool {
		found, rest = address.FindStringSubmatch(output.String()), restAddress.FindStringSubmatch(output.String())
		return found != nil && rest != nil
	})
	host, port, err := net.SplitHostPort(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"PGHOST": host, "PGPORT": port, "PGDATABASE": database, "PGUSER": user, "PGPASSWORD": password, "PGSSLMODE": "disable", "SLOW": slow, restVariable: rest[1],
	}
}

// writeDatabase makes the file of the tables.
func writeDatabase(t *testing.T, path string) {
	t.Helper()
	setup, err := os.ReadFile("testdata/data.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{string(setup)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
