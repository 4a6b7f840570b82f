package pgwire

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/memory"
)

// The tree of a statement takes memory of plans before it is made.
func TestSessionMemory_CountsTheTreeOfAStatement(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes})
	m, err := newSessionMemory(budget, 1)
	if err != nil {
		t.Fatal(err)
	}
	held, err := m.reserveTree("SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	held.Release()
	var full *memory.LimitError
	if _, err := m.reserveTree(strings.Repeat(" ", int(budget.Part(memory.Plans).Capacity()/treeBytesPerTextByte)+1)); !errors.As(err, &full) {
		t.Errorf("the tree of a text beyond the share: %v", err)
	}
}
