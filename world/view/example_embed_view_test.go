package view_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

// This program shows its world to browsers, and keeps its own loop.
func Example() {
	config := world.Default()
	steering := &view.Steering{}
	config.Steer = []any{steering}
	crowd, err := world.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer crowd.Close()
	walker := []any{c.Target{Vec: r2.Vec{X: 20}}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Arrival{Gain: 2, SlowingRadius: 3}}
	if err := crowd.Spawn(3, walker, nil); err != nil {
		fmt.Println(err)
		return
	}

	live := view.New(crowd, view.Options{Name: "walkers", Text: "three agents walk to the right", Steering: steering})
	defer live.Close()
	for range 60 { // the program's loop
		if err := live.Step(); err != nil { // in place of crowd.Step
			fmt.Println(err)
			return
		}
	}

	page := httptest.NewRecorder() // a real program runs http.ListenAndServe("127.0.0.1:8040", live) in a goroutine
	live.ServeHTTP(page, httptest.NewRequest("GET", "http://127.0.0.1:8040/", nil))
	fmt.Println("steps:", crowd.Stats().Steps)
	fmt.Println("a page with a stage:", strings.Contains(page.Body.String(), `id="stage"`))
	// Output:
	// steps: 60
	// a page with a stage: true
}
