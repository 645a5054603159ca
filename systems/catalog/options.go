package catalog

// Options are what systems are made with: values of different types, such as
// systems.Settings and the snapshot of obstacles. Get finds them by type.
type Options []any

// Get returns the value of type T, the zero value if there is none.
func Get[T any](o Options) T {
	for _, x := range o {
		if x, ok := x.(T); ok {
			return x
		}
	}
	var none T
	return none
}
