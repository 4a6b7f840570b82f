package access_test

import (
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec/access"
)

func Example() {
	file, findings := access.Parse("policies.yaml", []byte(`
version: 1
attributes: {regions: {type: string, list: true}}
roles:
  regional:
    datasets: {orders: {rows: "region IN (:user.regions)", fields: all}}
    metrics: all
`))
	if len(findings) > 0 {
		log.Fatal(findings)
	}
	claims, err := access.ParseIdentity([]byte(`{"name": "ana", "roles": ["regional"], "attributes": {"regions": ["north"]}}`))
	if err != nil {
		log.Fatal(err)
	}
	policies := file.PoliciesOf("")
	ana := file.NewIdentity(claims)
	fmt.Println(ana.Check(policies), ana.Attributes["regions"].Items)

	claims.Attributes = nil
	fmt.Println(file.NewIdentity(claims).Check(policies))
	// Output:
	// <nil> [north]
	// the attribute regions of the identity is missing
}
