// Package combray carries the file of the repository's root that the program
// reads at run time.
package combray

import _ "embed" // for the directive below

// ModelsLock is the text of models.lock: every model and library the program
// may load, with sizes and hashes. Package internal/models reads it.
//
//go:embed models.lock
var ModelsLock string
