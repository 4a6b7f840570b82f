package properties_test

import (
	"fmt"
	"os"
	"testing"
)

func TestDebug(t *testing.T) {
	body := os.Getenv("DEBUG_QUERY")
	if body == "" {
		t.Skip()
	}
	seed, _ := settings(t)
	r := newMaker(seed)
	m := r.model()
	s, err := open(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	fmt.Println(m.yaml())
	if os.Getenv("DEBUG_DATA") != "" {
		fmt.Println(m.sql())
	}
	v := s.judge(t.Context(), body)
	fmt.Println(v.outcome, v.problem, v.sql)
	got, _, err := s.answer(t.Context(), body)
	if err == nil {
		fmt.Println(printed(got))
	}
}
