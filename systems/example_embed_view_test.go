package systems_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/view"
)

// A game serves its crowd to browsers, and keeps its loop.
func Example_view() {
	crowd, err := world.New(world.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer crowd.Close()
	live := view.New(crowd, view.Options{Name: "harbor"})
	defer live.Close()
	server := httptest.NewServer(live) // in a game: http.ListenAndServe("127.0.0.1:8040", live)
	defer server.Close()
	for range 3 { // the game's loop
		if err := live.Step(); err != nil { // instead of crowd.Step
			fmt.Println(err)
			return
		}
	}
	page, err := http.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer page.Body.Close()
	fmt.Println(page.Status)
	// Output: 200 OK
}
