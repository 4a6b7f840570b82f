package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestEveryCaseGivesItsAnswerOnClickHouse(t *testing.T) {
	g := &guest{guestOn(servers.ClickHouse(t)), map[string]inability{
		"basics/integers_beyond_what_a_double_holds": {"sql_rejected", "a SUM beyond 64 bits would wrap; its guard makes an error of it"},
		"operands/days_without_a_type":               {"not_implemented", "+ takes a moment for seconds"},
	}}
	g.test(t)
}
