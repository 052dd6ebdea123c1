package media

// orientation is how a picture lies in its file, as EXIF counts: 1 is upright, 2 to 4
// are mirrored or turned by a half, 5 to 8 lie on their side (EXIF 2.32, tag 0x0112).
type orientation int

// sideways reports whether width and height change places.
func (o orientation) sideways() bool { return o >= 5 && o <= 8 }

// upright turns a square grid, given by rows, the way the picture should be seen.
// Area averages and stretches of the whole picture may be turned after they were
// made: up to rounding the filters are the same in both directions (TestOrientations).
func upright[T any](grid []T, side int, o orientation) []T {
	if o < 2 || o > 8 {
		return grid
	}
	out := make([]T, len(grid))
	last := side - 1
	for y := range side {
		for x := range side {
			fromX, fromY := x, y
			switch o {
			case 2:
				fromX = last - x
			case 3:
				fromX, fromY = last-x, last-y
			case 4:
				fromY = last - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, last-x
			case 7:
				fromX, fromY = last-y, last-x
			case 8:
				fromX, fromY = last-y, x
			}
			out[y*side+x] = grid[fromY*side+fromX]
		}
	}
	return out
}
