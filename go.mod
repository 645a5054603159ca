module github.com/8f878440/crowd

go 1.26.0

require (
	github.com/mlange-42/arche v0.15.3
	github.com/pelletier/go-toml/v2 v2.4.3
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/coder/websocket v1.8.15
	github.com/peterstace/simplefeatures v0.50.0
	golang.org/x/sys v0.49.0
)
