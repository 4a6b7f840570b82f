// Package testwait lets tests wait for a state. A busy machine reaches it later than an idle one, so every wait has
// the same long deadline, and no test sleeps for a time in which something should have happened.
//
//	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
//	err := testwait.Receive(t, "the end of Serve", served)
package testwait
