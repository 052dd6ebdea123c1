//go:build cgo && !amd64 && !arm64

/* Architectures without kernels of their own run the plain C loops. */
#include "machine.h"

const struct combray_kernel combray_machine[] = { { 0 } };
const size_t combray_machine_count = 0;
