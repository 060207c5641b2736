package lua

// misspelled returns the name that another one is probably meant to be: one or
// two letters differ. It returns "" if the name is known or like none.
func misspelled(name string, known []string) (meant string) {
	const slips, shortest = 2, 5
	for _, k := range known {
		if k == name {
			return ""
		}
		if len(name) >= shortest && editDistance(name, k) <= slips {
			meant = k
		}
	}
	return meant
}

// editDistance counts the letters to add, leave out or replace, and the
// neighbors to swap, to get from one word to another.
func editDistance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			differ := 1
			if a[i] == b[j] {
				differ = 0
			}
			row[j+1] = min(above[j]+differ, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
