package generated_test

import (
	"database/sql"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/integration/internal/servers"
)

// The log of the server shows what reached it: the settings of the session, and SELECTs.
func TestLaws_ServerLogHoldsOnlySelects(t *testing.T) {
	server := shared.MariaDB(t)
	db, err := servers.MariaDB(t, &shared).Load(t.Context(), "generated log", script(randomSchema(rand.New(rand.NewPCG(1, 23)))))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	admin, err := sql.Open("mysql", server.User+":"+server.Password+"@tcp("+server.HostPort()+")/mysql")
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	exec := func(text string) {
		if _, err := admin.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	exec("SET GLOBAL log_output = 'TABLE'")
	exec("SET GLOBAL general_log = 1")
	_, runErr := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m", MaxRows: 1000})
	exec("SET GLOBAL general_log = 0")
	if runErr != nil {
		t.Fatal(runErr)
	}
	rows, err := admin.QueryContext(t.Context(), "SELECT command_type, CAST(argument AS CHAR) FROM general_log WHERE argument NOT LIKE 'SET GLOBAL%'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	selects := 0
	for rows.Next() {
		var kind, text string
		if err := rows.Scan(&kind, &text); err != nil {
			t.Fatal(err)
		}
		text = strings.TrimSpace(text)
		switch {
		case kind == "Connect", kind == "Quit", kind == "Ping", strings.HasPrefix(text, "SET "):
		case strings.HasPrefix(text, "SELECT "):
			selects++
		default:
			t.Errorf("%s: %s", kind, text)
		}
	}
	if err := rows.Err(); err != nil || selects < 8 {
		t.Errorf("%d SELECTs in the log: %v", selects, err)
	}
}
