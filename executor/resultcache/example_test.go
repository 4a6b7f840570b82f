package resultcache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/resultcache"
)

func Example() {
	cache := resultcache.New(resultcache.Options{MaxBytes: 1 << 20, EntryBytes: 1 << 18})
	request := resultcache.Request{
		Key: "SELECT n FROM numbers", TTL: time.Minute,
		Open: func(_ context.Context, begin func(resultcache.Beginning)) (executor.Rows, error) {
			begin(resultcache.Beginning{})
			return &fakeRows{values: []int64{1, 2, 3}}, nil
		},
	}
	for range 2 {
		answer, err := cache.Get(context.Background(), request)
		if err != nil {
			fmt.Println(err)
			return
		}
		rows, err := drain(context.Background(), answer.Rows)
		fmt.Println(answer.Outcome, rows, err)
	}
	// Output:
	// miss [1 2 3] <nil>
	// hit [1 2 3] <nil>
}
