module example.com/orbit

go 1.26.0

require (
	github.com/8f878440/crowd v0.0.0
	github.com/mlange-42/arche v0.15.3
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/peterstace/simplefeatures v0.50.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/8f878440/crowd => ../../../..
