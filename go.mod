module crashglass

go 1.26

require (
	github.com/hack-pad/safejs v0.1.0 // indirect
	github.com/syumai/workers v0.32.0 // indirect
)
