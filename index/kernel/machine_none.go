//go:build !cgo

package kernel

// machine returns no kernels: without cgo only the plain Go loops exist.
func machine() []implementation { return nil }

// machineHamming is never reached without cgo.
func machineHamming(int, []uint16, []uint64, []uint64) {
	panic("kernel: no machine kernel in a build without cgo")
}

// machineDotInt8 is never reached without cgo.
func machineDotInt8(int, []int32, []int8, []int8, []uint32) {
	panic("kernel: no machine kernel in a build without cgo")
}

// machineWithin is never reached without cgo.
func machineWithin(int, []uint32, []uint16, uint16) int {
	panic("kernel: no machine kernel in a build without cgo")
}

// machineAtLeast is never reached without cgo.
func machineAtLeast(int, []uint32, []float32, float32) int {
	panic("kernel: no machine kernel in a build without cgo")
}
