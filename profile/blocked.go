package profile

// impassable tells whether nobody gets through.
func (t *wayTags) impassable() bool {
	return t[keyImpassable] == "yes" || t[keyStatus] == "impassable"
}

// underConstruction tells whether the construction tag closes the way; small
// works do not.
func (t *wayTags) underConstruction() bool {
	switch t[keyConstruction] {
	case "", "no", "widening", "minor":
		return false
	}
	return true
}

// proposed tells whether the way is only planned. A road in use may have a
// proposed future.
func (t *wayTags) proposed() bool {
	return t[keyProposed] != "" && (t[keyHighway] == "" || t[keyHighway] == "proposed")
}
