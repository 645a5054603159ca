package scene

import "github.com/8f878440/crowd/systems/catalog"

// youngest and oldest are the ages in years between which WalkingSpeed is known.
const youngest, oldest = 20, 70

// speedsByAge are in m/s, every ten years from the youngest to the oldest.
var speedsByAge = [...]float64{1.62, 1.54, 1.48, 1.41, 1.27, 1.07}

// WalkingSpeed returns the speed in m/s at which people of an age in years walk on level
// ground, where nobody is in their way. Below 20 years it is that of 20, and above 70 that of 70.
//
// Source: Weidmann, "Transporttechnik der Fussgänger", 1993, as RiMEA 7 asks for it; the means of
// what is allowed there, and straight lines between.
func WalkingSpeed(age float64) float64 {
	decades := (min(max(age, youngest), oldest) - youngest) / 10
	i := min(int(decades), len(speedsByAge)-2)
	return speedsByAge[i] + float64((speedsByAge[i+1]-speedsByAge[i])*(decades-float64(i)))
}

// orByAge is a value that may be given as a table with an age.
func orByAge(speed codec[Value]) codec[Value] {
	keys := func(age *Value) []key {
		return []key{must("age", age, valueOf(catalog.Limits{Min: youngest, Max: oldest}), "years, from 20 to 70, as any other number of a group, in place of the speed: that at which people of that age walk")}
	}
	ages, c := tableOf(keys), speed
	c.read = func(r *reader, n *node) Value {
		if n.kind != isTable || n.table.find("age") == nil {
			return speed.read(r, n)
		}
		v := ages.read(r, n)
		v.ByAge = true
		return v
	}
	c.write = func(w *writer, v Value) {
		if !v.ByAge {
			speed.write(w, v)
			return
		}
		v.ByAge = false
		ages.write(w, v)
	}
	c.schema = func() schema { return anyOf(speed.schema(), ages.schema()) }
	c.keys = func() []key { return append(speed.keys(), ages.keys()...) }
	return c
}
