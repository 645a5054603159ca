package systems

import (
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// componentOf makes a component value ready for NewEntityWith.
func componentOf(w *ecs.World, comp any) ecs.Component {
	p := reflect.New(reflect.TypeOf(comp))
	p.Elem().Set(reflect.ValueOf(comp))
	return ecs.Component{ID: ecs.TypeID(w, p.Type().Elem()), Comp: p.Interface()}
}
