package reference_test

import "testing"

// trade has two facts of the same customers, a tag that fans out, and a customer
// that is not in the dimension.
const trade = `
	sales(id! Integer, customer Integer, amount Integer)
	refunds(id! Integer, customer Integer, amount Integer)
	customers(customer! Integer, region String, fee Integer)
	tags(customer Integer, tag String)
	sales.customer -> customers.customer
	refunds.customer -> customers.customer
	tags.customer -> customers.customer
	sold: SUM(sales.amount)
	sales_count: COUNT(sales.id)
	returned: SUM(refunds.amount)
	refund_count: COUNT(refunds.id)
	net: SUM(sales.amount) - SUM(refunds.amount)
	rate: COUNT(refunds.id) / COUNT(sales.id)
	returned_or_none: SUM(refunds.amount) {"fill_nulls_with": 0}
	fees: SUM(customers.fee)
	highest_fee: MAX(customers.fee)
	customer_count: COUNT(DISTINCT customers.customer)`

func tradeWorld(t *testing.T) world {
	return given(t, trade, map[string]string{
		"sales": `id customer amount
			1 1 10
			2 1 20
			3 2 5
			4 ∅ 7
			5 99 3`,
		"refunds": `id customer amount
			1 1 4
			2 3 6`,
		"customers": `customer region fee
			1 north 100
			2 south 200
			3 ∅ 300`,
		"tags": `customer tag
			1 new
			1 old
			2 new
			98 old`,
	})
}

func TestJoins_KeepEachHomeRowOnce(t *testing.T) {
	t.Run("a join keeps each row of the home dataset exactly once", func(t *testing.T) {
		w := tradeWorld(t)
		w.answers(t, `{"metrics":["sold"],"group_by":[{"field":"customers.region"}]}`, `
		region | sold
		north | 30
		south | 5
		∅ | 10`)
		w.answers(t, `{"metrics":["sold"],"where_sql":"customers.region IS NULL"}`, `
		sold
		10`)
	})
}

func TestJoins_FactsCombineOnGroups(t *testing.T) {
	t.Run("two facts combine on their groups, and each keeps the groups that the other lacks", func(t *testing.T) {
		w := tradeWorld(t)
		// The refund of customer 3 stands in the group of those without a region,
		// as the sales without a customer do.
		w.answers(t, `{"metrics":["sold","returned","refund_count","returned_or_none","net","rate"],"group_by":[{"field":"customers.region"}]}`, `
		region | sold | returned | refund_count | returned_or_none | net | rate
		north | 30 | 4 | 1 | 4 | 26 | 0.5
		south | 5 | ∅ | 0 | 0 | ∅ | 0
		∅ | 10 | 6 | 1 | 6 | 4 | 0.5`)
		w.answers(t, `{"metrics":["rate"],"where_sql":"customers.customer = 3"}`, `
		rate
		∅`)
	})
}

func TestJoins_EachHomeSummedOnce(t *testing.T) {
	w := tradeWorld(t)
	w.answers(t, `{"metrics":["sold","fees"]}`, `
		sold | fees
		45 | 600`)
}

func TestJoins_FanOutAllowsRepeatSafeAggregates(t *testing.T) {
	t.Run("an edge that repeats rows allows only aggregates that repetition does not change", func(t *testing.T) {
		w := tradeWorld(t)
		w.refuses(t, `{"metrics":["fees"],"group_by":[{"field":"tags.tag"}]}`, "fan_out_risk")
		// Tags are the root: customer 3 has none and is in no group, and the tag of
		// no customer is a row without a customer.
		w.answers(t, `{"metrics":["highest_fee","customer_count"],"group_by":[{"field":"tags.tag"}]}`, `
		tag | highest_fee | customer_count
		new | 200 | 2
		old | 100 | 1`)
		w.refuses(t, `{"metrics":["sold"],"group_by":[{"field":"tags.tag"}]}`, "no_join_path")
		// Sales and refunds both lead to customers, and nothing leads to both.
		w.refuses(t, `{"metrics":["sold"],"group_by":[{"field":"refunds.amount"}]}`, "no_join_path")
		w.answers(t, `{"metrics":["customer_count"],"where_sql":"sales.amount > 6"}`, `
		customer_count
		1`)
	})
}

const flights = `
	flights(id! Integer, origin Integer, target Integer, seats Integer)
	airports(airport! Integer, city Integer)
	cities(city! Integer, name String)
	flights.origin -> airports.airport
	flights.target -> airports.airport
	airports.city -> cities.city
	seats: SUM(flights.seats)
	airport_count: COUNT(airports.airport)`

func TestJoins_RolesOfOneDataset(t *testing.T) {
	w := given(t, flights, map[string]string{
		"flights":  "id origin target seats\n1 1 2 10\n2 2 1 20\n3 1 ∅ 40",
		"airports": "airport city\n1 7\n2 8",
		"cities":   "city name\n7 Ulm\n8 Rom",
	})
	w.refuses(t, `{"metrics":["seats"],"group_by":[{"field":"airports.city"}]}`, "ambiguous_join_path")
	w.refuses(t, `{"metrics":["seats"],"group_by":[{"field":"cities.name"}]}`, "ambiguous_join_path")
	w.answers(t, `{"metrics":["seats"],"group_by":[{"field":"origin_airports.city_cities.name"},{"field":"target_airports.city_cities.name"}]}`, `
		origin_airports__city_cities__name | target_airports__city_cities__name | seats
		Rom | Ulm | 20
		Ulm | Rom | 10
		Ulm | ∅ | 40`)
	w.answers(t, `{"metrics":["airport_count"],"group_by":[{"field":"cities.name"}]}`, `
		name | airport_count
		Rom | 1
		Ulm | 1`)
	w.refuses(t, `{"metrics":["airport_count"],"group_by":[{"field":"origin_airports.city"}]}`, "invalid_relationship_path")
	// Airports do not lead to flights, so they do not have the role.
	w.refuses(t, `{"metrics":["seats","airport_count"],"group_by":[{"field":"origin_airports.city"}]}`, "no_join_path")
	w.refuses(t, `{"metrics":["seats"],"group_by":[{"field":"origin_airports.nowhere.name"}]}`, "unknown_relationship")
}

func TestJoins_InnerRelationshipDropsRows(t *testing.T) {
	w := given(t, `
		sales(id! Integer, customer Integer, amount Integer)
		customers(customer! Integer, region String)
		sales.customer -> customers.customer {"join_type":"inner"}
		sold: SUM(sales.amount)`,
		map[string]string{"sales": "id customer amount\n1 1 10\n2 ∅ 7\n3 99 5", "customers": "customer region\n1 ∅"})
	w.answers(t, `{"metrics":["sold"]}`, "sold\n22")
	w.answers(t, `{"metrics":["sold"],"group_by":[{"field":"customers.region"}]}`, "region | sold\n∅ | 10")
}

func TestJoins_SelfRelationshipIsOneStep(t *testing.T) {
	w := given(t, `
		staff(id! Integer, boss Integer, name String, pay Integer)
		staff.boss -> staff.id
		pay: SUM(staff.pay)`,
		map[string]string{"staff": "id boss name pay\n1 ∅ ann 9\n2 1 bob 5\n3 1 cid 4\n4 2 dan 3"})
	w.answers(t, `{"metrics":["pay"],"group_by":[{"field":"boss_staff.name"}]}`, `
		boss_staff__name | pay
		ann | 9
		bob | 3
		∅ | 9`)
	w.refuses(t, `{"metrics":["pay"],"group_by":[{"field":"boss_staff.boss_staff.name"}]}`, "invalid_relationship_path")
}

func TestJoins_EqualRootsAreAmbiguous(t *testing.T) {
	w := given(t, `
		likes(id! Integer, a Integer, b Integer)
		buys(id! Integer, a Integer, b Integer)
		people(a! Integer, age Integer)
		things(b! Integer, kind String)
		likes.a -> people.a
		likes.b -> things.b
		buys.a -> people.a
		buys.b -> things.b
		oldest: MAX(people.age)`,
		map[string]string{"likes": "id a b\n1 1 1", "buys": "id a b\n1 1 1", "people": "a age\n1 40", "things": "b kind\n1 x"})
	w.refuses(t, `{"metrics":["oldest"],"group_by":[{"field":"things.kind"}]}`, "ambiguous_join_path")
}

func TestJoins_EachWindowHasItsOwnCauses(t *testing.T) {
	w := given(t, `
		likes(id! Integer, a Integer, b Integer)
		buys(id! Integer, a Integer, b Integer)
		people(a! Integer, age Integer)
		things(b! Integer, kind String)
		likes.a -> people.a
		likes.b -> things.b
		buys.a -> people.a
		buys.b -> things.b
		of_oldest: MAX(people.age) {"window":{"rank":{"function":"rank"}}}
		of_sum: SUM(people.age) {"window":{"rank":{"function":"rank"}}}`,
		map[string]string{"likes": "id a b\n1 1 1", "buys": "id a b\n1 1 1", "people": "a age\n1 40", "things": "b kind\n1 x"})
	w.refuses(t, `{"metrics":["of_oldest"],"group_by":[{"field":"things.kind"}]}`, "ambiguous_join_path")
	w.refuses(t, `{"metrics":["of_sum"],"group_by":[{"field":"things.kind"}]}`, "fan_out_risk")
	for _, metrics := range []string{`"of_oldest","of_sum"`, `"of_sum","of_oldest"`} {
		w.refuses(t, `{"metrics":[`+metrics+`],"group_by":[{"field":"things.kind"}]}`, "ambiguous_join_path", "fan_out_risk")
	}
}
