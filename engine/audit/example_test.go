package audit_test

import (
	"log"
	"os"
	"time"

	"github.com/semlayer/semlayer/engine/audit"
)

func ExampleLog_Write() {
	l, err := audit.Open(audit.Config{Path: audit.Stdout, Stdout: os.Stdout})
	if err != nil {
		log.Fatal(err)
	}
	record := l.NewRecord()
	record.Fill(func(f *audit.Facts) { f.Metrics = []string{"revenue"} })
	l.Write(audit.Entry{
		Facts: record.Facts(), Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Identity: "ana", Surface: audit.SurfaceREST,
		Duration: 3 * time.Millisecond, Outcome: audit.OutcomeOK, Status: 200,
	})
	// Output:
	// {"time":"2026-03-01T12:00:00.000Z","identity":"ana","surface":"rest","metrics":["revenue"],"duration_ms":3,"outcome":"ok","status":200}
}
