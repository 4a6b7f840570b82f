package executor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// Every driver returns the rows of a statement in Arrow record batches.
func ExampleExecutor() {
	ctx := context.Background()
	var e executor.Executor
	e, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	rows, err := e.Query(ctx, "SELECT 1 AS id, 'east' AS region UNION ALL SELECT 2, 'west'")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for {
		batch, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for i := range int(batch.NumRows()) {
			fmt.Println(batch.Column(0).ValueStr(i), batch.Column(1).ValueStr(i))
		}
		batch.Release()
	}
	// Output:
	// 1 east
	// 2 west
}

// Every failure has a code; the text of the warehouse is in the message.
func ExampleError() {
	ctx := context.Background()
	e, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	_, err = e.Query(ctx, "SELECT missing")
	var failure *executor.Error
	fmt.Println(errors.As(err, &failure))
	fmt.Println(failure.Code)
	// Output:
	// true
	// sql_rejected
}

// A secret is printed as a placeholder.
func ExampleSecret() {
	password := executor.NewSecret("hunter2")
	fmt.Println(password, len(password.Reveal()))
	// Output:
	// [secret] 7
}
