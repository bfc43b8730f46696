package main

import (
	"crashglass/core/runtimes"
	"crashglass/core/runtimes/python"
)

// languages are the runtimes whose calls reports list, in addition to Go's.
func languages() []runtimes.Runtime { return []runtimes.Runtime{python.Runtime()} }
