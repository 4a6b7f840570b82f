package engine

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/resultcache"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/planerr"
)

// resultStore keeps the results of statements for the engines of a process. A nil store keeps none.
//
// Each result belongs to a scope: a revision of a model, and the policies of its reader. A scope is dropped when neither an open engine nor
// a request uses it any more.
type resultStore struct {
	kept   *resultcache.Cache
	states *freshnessReadings

	mu       sync.Mutex
	engines  map[*Engine]bool // that are open
	requests map[string]int   // that run, by scope
	policies string           // hash of the file that is in force
}

// newResultStore returns the store of a configuration; nil where it keeps no results.
func newResultStore(c Config) *resultStore {
	if c.CacheMiB <= 0 {
		return nil
	}
	const mib = 1 << 20
	s := &resultStore{states: newFreshnessReadings(), engines: map[*Engine]bool{}, requests: map[string]int{}}
	s.kept = resultcache.New(resultcache.Options{
		MaxBytes: int64(c.CacheMiB) * mib, EntryBytes: int64(min(c.CacheEntryMiB, c.CacheMiB)) * mib, IsOwnError: isErrorOfOneRequest,
	})
	if c.Policies != nil {
		s.policies = c.Policies.Hash
	}
	return s
}

// isErrorOfOneRequest reports whether an error of a statement concerns only the request that started it: its time is over, it found
// no slot or no memory, or it may not cost as much.
func isErrorOfOneRequest(err error) bool {
	var (
		limit  *memory.LimitError
		reader *access.ForbiddenError
		costly *planerr.Error
		failed *executor.Error
	)
	return isRequestSpecificError(err) || errors.As(err, &limit) || errors.As(err, &reader) ||
		errors.As(err, &costly) && costly.Code == executor.CodeCostLimitExceeded ||
		errors.As(err, &failed) && failed.Code == executor.CodeCostLimitExceeded
}

// scopeSeparator is a character that neither names nor hashes have.
const scopeSeparator = "\x00"

// modelScope is the part of a scope that is equal for all readers of a revision.
func (e *Engine) modelScope() string { return e.config.ModelName + scopeSeparator + e.revision }

// resultScope is the scope of the results of an engine.
func (e *Engine) resultScope() string {
	if e.rights == nil {
		return e.modelScope() + scopeSeparator
	}
	return e.modelScope() + scopeSeparator + e.rights.policiesHash
}

// enter counts a request of a scope until the returned function is called.
func (s *resultStore) enter(scope string) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[scope]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		if s.requests[scope]--; s.requests[scope] == 0 {
			delete(s.requests, scope)
		}
		gone := s.isGoneLocked(scope)
		s.mu.Unlock()
		if gone {
			s.dropGone()
		}
	})
}

func (s *resultStore) addEngine(e *Engine) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.engines[e] = true
}

func (s *resultStore) removeEngine(e *Engine) {
	if s == nil {
		return
	}
	s.mu.Lock()
	delete(s.engines, e)
	s.mu.Unlock()
	s.dropGone()
}

// replacePolicies notes the policies that are in force from now on.
func (s *resultStore) replacePolicies(file *access.File) {
	if s == nil {
		return
	}
	s.mu.Lock()
	if s.policies = ""; file != nil {
		s.policies = file.Hash
	}
	s.mu.Unlock()
	s.dropGone()
}

// dropGone drops the results that no request can ask for.
func (s *resultStore) dropGone() {
	s.kept.Drop(func(scope string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.isGoneLocked(scope)
	})
}

func (s *resultStore) isGoneLocked(scope string) bool {
	if s.requests[scope] > 0 {
		return false
	}
	at := strings.LastIndex(scope, scopeSeparator)
	if policies := scope[at+1:]; policies != "" && policies != s.policies {
		return true
	}
	for e := range s.engines {
		if e.modelScope() == scope[:at] {
			return false
		}
	}
	return true
}

// resultKey is different for statements that may have different results.
func (e *Engine) resultKey(scope, session string, c *compiledQuery) string {
	var key strings.Builder
	for _, part := range []string{scope, e.dataFingerprint(c.target), c.target.connectionName(), string(c.target.appendCacheKey(nil)), e.readerKey(), session, c.rollupKey, c.sql} {
		key.WriteString(strconv.Itoa(len(part)))
		key.WriteByte(':')
		key.WriteString(part)
	}
	return key.String()
}

// dataFingerprint is different for other data files of the embedded database.
func (e *Engine) dataFingerprint(t compileTarget) string {
	held := e.warehouses.data.Load()
	if held == nil || t.connection != nil {
		return ""
	}
	return string(held.fingerprint[:])
}

// ResultCacheStats are the numbers of the result cache.
type ResultCacheStats = resultcache.Stats

// ResultCacheStats reports on the result cache; false where there is none.
func (e *Engine) ResultCacheStats() (ResultCacheStats, bool) {
	s := e.warehouses.results
	if s == nil {
		return ResultCacheStats{}, false
	}
	return s.kept.Stats(), true
}
