module example.com/navmesh

go 1.26.0

require (
	github.com/8f878440/crowd v0.0.0
	github.com/arl/go-detour v0.1.3
	github.com/arl/gogeo v0.0.0-20200405111831-9d419f5f7a90
	github.com/mlange-42/arche v0.15.3
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/arl/assertgo v0.0.0-20180702120748-a1be5afdc871 // indirect
	github.com/arl/gobj v0.0.0-20180702120947-e436584cd5ac // indirect
	github.com/arl/math32 v0.2.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/8f878440/crowd => ../..
