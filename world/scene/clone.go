package scene

import "reflect"

// Clone returns a copy of the scene that shares nothing with it.
func (s *Scene) Clone() *Scene {
	return copied(reflect.ValueOf(s), true).Interface().(*Scene)
}

// shallow returns a copy of the group that shares its lists, but not its
// behaviors and places.
func (g *Group) shallow() Group {
	return copied(reflect.ValueOf(*g), false).Interface().(Group)
}

// copied returns a copy of plain data and of all it points to. Lists are copied
// too, or shared.
func copied(from reflect.Value, lists bool) reflect.Value {
	to := reflect.New(from.Type()).Elem()
	to.Set(from)
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			to.Elem().Set(copied(from.Elem(), lists))
		}
	case reflect.Slice:
		if from.IsNil() || !lists {
			break
		}
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		reflect.Copy(to, from)
		for i := 0; i < from.Len() && shares(from.Type().Elem()); i++ {
			to.Index(i).Set(copied(from.Index(i), lists))
		}
	case reflect.Map:
		if from.IsNil() || !lists {
			break
		}
		to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
		for _, name := range from.MapKeys() {
			to.SetMapIndex(name, from.MapIndex(name))
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if shares(from.Type().Field(i).Type) {
				to.Field(i).Set(copied(from.Field(i), lists))
			}
		}
	}
	return to
}

// shares reports whether values of a type share what they point to with their
// copies.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if shares(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
