package warehousefake

import (
	"net/http"
	"path"
	"strings"
	"sync"
)

// RequestFault answers a request in the fake's stead, or is false and leaves it to the fake.
type RequestFault func(*FakeService, http.ResponseWriter, *http.Request) bool

// FaultOnEveryRequest answers every request.
func FaultOnEveryRequest(answer http.HandlerFunc) RequestFault {
	return func(_ *FakeService, w http.ResponseWriter, r *http.Request) bool {
		answer(w, r)
		return true
	}
}

// FaultOnMatchingRequests responds to the requests that match.
func FaultOnMatchingRequests(such func(*http.Request) bool, answer http.HandlerFunc) RequestFault {
	return func(_ *FakeService, w http.ResponseWriter, r *http.Request) bool {
		if !such(r) {
			return false
		}
		answer(w, r)
		return true
	}
}

// FaultOnPathContaining answers the requests with that in their path.
func FaultOnPathContaining(part string, answer http.HandlerFunc) RequestFault {
	return FaultOnMatchingRequests(func(r *http.Request) bool { return strings.Contains(r.URL.Path, part) }, answer)
}

// FaultOnOneRowStatement answers the requests whose path ends with the name of the statement One. What
// the executor asks about its session is answered by the fake.
func FaultOnOneRowStatement(answer http.HandlerFunc) RequestFault {
	return func(s *FakeService, w http.ResponseWriter, r *http.Request) bool {
		if sql, _ := s.FindStatement(path.Base(r.URL.Path)); sql != OneRowStatement {
			return false
		}
		answer(w, r)
		return true
	}
}

// RespondWithText responds with this text.
func RespondWithText(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

// RespondWithRedirect responds with a redirect to another host, like that of a login page.
func RespondWithRedirect(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.example/login", status)
	}
}

// FailEveryOtherRequest lets the fault turn away every other request for the same thing.
func FailEveryOtherRequest(turnAway RequestFault) RequestFault {
	var mu sync.Mutex
	asked := map[string]int{}
	return func(s *FakeService, w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		asked[r.URL.Path]++
		odd := asked[r.URL.Path]%2 == 1
		mu.Unlock()
		return odd && turnAway(s, w, r)
	}
}

// FaultAfterStatementStart lets statements begin before the fault responds: the request arrives, and the
// warehouse's response is lost.
func FaultAfterStatementStart(f RequestFault) RequestFault {
	return func(s *FakeService, w http.ResponseWriter, r *http.Request) bool {
		if s.isStartRequest(r) {
			s.protocol.ServeHTTP(&discardingResponseWriter{http.Header{}}, r)
		}
		return f(s, w, r)
	}
}

type discardingResponseWriter struct{ header http.Header }

func (l *discardingResponseWriter) Header() http.Header       { return l.header }
func (*discardingResponseWriter) Write(p []byte) (int, error) { return len(p), nil }
func (*discardingResponseWriter) WriteHeader(int)             {}

// delayStatementStart accepts statements when a channel is closed.
func delayStatementStart(until <-chan struct{}) RequestFault {
	return func(s *FakeService, _ http.ResponseWriter, r *http.Request) bool {
		if s.isStartRequest(r) {
			<-until
		}
		return false
	}
}

// neverRespond sends no response until it is released.
func neverRespond(release <-chan struct{}) RequestFault {
	return FaultOnEveryRequest(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
}
