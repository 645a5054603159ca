package plot

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/plottest"
)

// TestRunNames holds that runs one after another in a file are told apart by what they
// were started with.
func TestRunNames(t *testing.T) {
	f, err := data.Read(context.Background(), "f", strings.NewReader(plottest.RunText+"\n"+strings.Replace(plottest.RunText, "look-ahead=5", "look-ahead=9;mass=2", 1)), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &drawing{Options: &Options{}, files: []*data.File{f}, kind: f.Kind}
	if got, want := p.runNames(), []string{"look-ahead 5", "look-ahead 9, mass 2"}; !slices.Equal(got, want) {
		t.Errorf("names: got=%q, want=%q", got, want)
	}
}
