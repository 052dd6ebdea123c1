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
	for y := range side {
		for x := range side {
			fromX, fromY := o.from(x, y, side, side)
			out[y*side+x] = grid[fromY*side+fromX]
		}
	}
	return out
}

// from says where the pixel (x, y) of an upright picture of w x h stands in the file.
func (o orientation) from(x, y, w, h int) (fromX, fromY int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, w - 1 - x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return h - 1 - y, x
	}
	return x, y
}
