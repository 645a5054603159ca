package terminal

// NameIf returns the name of a row if it is the first of its kind.
func NameIf(first bool, name string) string {
	if first {
		return name
	}
	return ""
}
