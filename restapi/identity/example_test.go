package identity_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

func Example() {
	tokens, _, err := access.ParseTokens(`{"name": "dash", "token": "correct horse battery staple", "roles": ["regional"]}`)
	if err != nil {
		log.Fatal(err)
	}
	d := identity.New(identity.Config{})
	if err := d.ReplaceTokens(tokens); err != nil {
		log.Fatal(err)
	}
	caller, err := d.SignIn(context.Background(), "correct horse battery staple")
	fmt.Println(caller.Identity.Name, caller.Identity.Roles, err)
	_, err = d.SignIn(context.Background(), "guess")
	fmt.Println(err)
	// Output:
	// dash [regional] <nil>
	// a valid bearer token is needed
}
