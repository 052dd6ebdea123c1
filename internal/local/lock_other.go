//go:build !unix

package local

import "os"

// seesLocks says whether one process can see what another has locked.
const seesLocks = false

// lock does without a lock: two processes may make the same vectors, which
// costs time and harms nothing.
func lock(*os.File) bool { return true }

// lockShared does without a lock: a command does not see then that a server runs,
// and works beside it.
func lockShared(*os.File) bool { return true }
