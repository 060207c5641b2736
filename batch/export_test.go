package batch

// SortByPlace is the order in which a matrix has its places.
func SortByPlace(list []Place) { sortByPlace(list, func(p *Place) *Place { return p }) }
