package pgwire

import (
	"context"

	"github.com/semlayer/semlayer/engine/memory"
)

const (
	// maxGuaranteedSessionBytes is what a session may keep even if others hold the share, so that a client that fills
	// the share does not stop others from preparing small statements.
	maxGuaranteedSessionBytes = 64 << 10
	// keptObjectBytes is what a statement, a portal, a savepoint or a variable takes besides its texts.
	keptObjectBytes = 512
	keptColumnBytes = 48
	// treeBytesPerTextByte is what the tree of a statement takes for each byte of its text, estimated.
	treeBytesPerTextByte = 32
)

// sessionMemory is the memory of all sessions of a server.
type sessionMemory struct {
	kept       *memory.Part
	messages   *memory.Part
	plans      *memory.Part
	guaranteed int64 // bytes of each session
}

// newSessionMemory takes the guaranteed bytes of all sessions.
func newSessionMemory(b *memory.Budget, maxSessions int) (sessionMemory, error) {
	m := sessionMemory{kept: b.Part(memory.Sessions), messages: b.Part(memory.Messages), plans: b.Part(memory.Plans)}
	m.guaranteed = min(maxGuaranteedSessionBytes, m.kept.Capacity()/4/int64(maxSessions))
	_, err := m.kept.Reserve(m.guaranteed * int64(maxSessions)) // as long as the process lives
	return m, err
}

// reserveTree takes memory for the tree of a statement. The error is a *memory.LimitError.
func (m sessionMemory) reserveTree(text string) (*memory.Reservation, error) {
	return m.plans.Reserve(treeBytesPerTextByte * int64(len(text)))
}

// growKept counts bytes that the session is about to keep. The error is a *memory.LimitError.
func (s *session) growKept(bytes int) error {
	if err := s.resizeKept(s.keptBytes + int64(bytes)); err == nil {
		return nil
	}
	s.recountKept() // what the message has replaced
	return s.resizeKept(s.keptBytes + int64(bytes))
}

func (s *session) resizeKept(bytes int64) error {
	if err := s.kept.Resize(max(0, bytes-s.server.memory.guaranteed)); err != nil {
		return err
	}
	s.keptBytes = bytes
	return nil
}

// recountKept counts what the session keeps now, which is not more than what it has counted.
func (s *session) recountKept() {
	total := s.variables.keptBytes()
	for _, p := range s.statements {
		total += p.keptBytes()
	}
	for _, p := range s.portals {
		total += p.keptBytes()
	}
	for _, p := range s.tx.savepoints {
		total += p.keptBytes()
	}
	if int64(total) < s.keptBytes {
		_ = s.resizeKept(int64(total)) // shrinking does not fail
	}
}

func (p *preparedStatement) keptBytes() int {
	n := keptObjectBytes + len(p.text) + 4*(len(p.declared)+len(p.parameters)) + keptColumnBytes*len(p.columns)
	for _, c := range p.columns {
		n += len(c.Name)
	}
	return n
}

// keptBytes counts the statement of the portal too: another one may have its name by then.
func (p *portal) keptBytes() int {
	n := keptObjectBytes + p.prepared.keptBytes() + p.planBytes
	for _, v := range p.params {
		n += keptColumnBytes + len(v.Text)
	}
	return n
}

func (p savepoint) keptBytes() int {
	return keptObjectBytes + len(p.name) + keptColumnBytes*(len(p.variables.session)+len(p.variables.local))
}

// refusedMessage is a message that is not read, because the messages of other clients hold the memory.
type refusedMessage struct {
	kind byte
	err  error
}

// answerRefusedMessage answers a message that was not read with its error.
func (s *session) answerRefusedMessage(ctx context.Context, m refusedMessage) {
	s.kindOfFailure = statementKindSession
	s.runExtendedMessageOrSkipToSync(ctx, func(context.Context) error { return m.err })
	if m.kind == 'Q' { // no Sync follows
		s.skipping = false
		s.endImplicitTransaction()
		s.sendReadyForQuery()
	}
}
