package attribution

import "math/bits"

// shapleyWeightsOfFactors returns each factor's Shapley weight in a product: its Shapley value is
// the weight times the factor's change. With f₀ and f₁ the factors' values
// before and after, the weight of factor i is the mean, over the orders in which
// the factors may change, of the product of the values that the others have when i
// changes. For two factors that is the mean of the other's two values.
func shapleyWeightsOfFactors(factors []ValuePair) []float64 {
	n := len(factors)
	out := make([]float64, n)
	if n == 2 {
		out[0] = (factors[1].Baseline + factors[1].Current) / 2
		out[1] = (factors[0].Baseline + factors[0].Current) / 2
		return out
	}
	share := shapleySubsetWeights(n)
	for i := range factors {
		for changed := range 1 << n {
			if changed&(1<<i) != 0 {
				continue
			}
			w := share[bits.OnesCount(uint(changed))]
			for j, f := range factors {
				switch {
				case j == i:
				case changed&(1<<j) != 0:
					w *= f.Current
				default:
					w *= f.Baseline
				}
			}
			out[i] += w
		}
	}
	return out
}

// shapleySubsetWeights gives, by the size of a set of n-1 others, the part of all orders
// in which exactly that set comes first: |S|!(n-1-|S|)!/n!.
func shapleySubsetWeights(n int) []float64 {
	out := make([]float64, n)
	for s := range out {
		ways := 1.0 // C(n-1, s)
		for k := range s {
			ways = ways * float64(n-1-k) / float64(k+1)
		}
		out[s] = 1 / (float64(n) * ways)
	}
	return out
}

// multiplyPairs is coef times the product of the factors.
func multiplyPairs(coef float64, factors []ValuePair) ValuePair {
	out := ValuePair{coef, coef}
	for _, f := range factors {
		out.Baseline *= f.Baseline
		out.Current *= f.Current
	}
	return out
}
