package components

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// JSON has no infinite numbers. Components that may contain them encode them as the strings "Infinity" and
// "-Infinity".

const infinity = "Infinity"

// shadow returns a zero struct with the fields of a component and of its embedded types. Float fields may also
// hold strings. The struct has no methods, because they would recurse. place[i] is the index of its i-th field
// in the component.
func shadow(component reflect.Type) (shadow reflect.Value, place [][]int) {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(component) {
		if f.Anonymous {
			continue
		}
		typ := f.Type
		if typ.Kind() == reflect.Float64 {
			typ = reflect.TypeFor[any]()
		}
		fields, place = append(fields, reflect.StructField{Name: f.Name, Type: typ}), append(place, f.Index)
	}
	return reflect.New(reflect.StructOf(fields)).Elem(), place
}

func marshal(component any) ([]byte, error) {
	from := reflect.ValueOf(component)
	to, place := shadow(from.Type())
	for i, at := range place {
		f := from.FieldByIndex(at)
		switch {
		case f.CanFloat() && math.IsInf(f.Float(), 1):
			f = reflect.ValueOf(infinity)
		case f.CanFloat() && math.IsInf(f.Float(), -1):
			f = reflect.ValueOf("-" + infinity)
		}
		to.Field(i).Set(f)
	}
	return json.Marshal(to.Interface())
}

// unmarshal decodes data into a component, given as a pointer, and leaves missing fields unchanged.
func unmarshal(data []byte, component any) error {
	to := reflect.ValueOf(component).Elem()
	from, place := shadow(to.Type())
	for i, at := range place {
		from.Field(i).Set(to.FieldByIndex(at))
	}
	if err := json.Unmarshal(data, from.Addr().Interface()); err != nil {
		return err
	}
	for i, at := range place {
		f := from.Field(i)
		if f.Kind() == reflect.Interface {
			if f.IsNil() { // as in encoding/json, null changes nothing
				continue
			}
			x, ok := number(f.Interface())
			if !ok {
				return fmt.Errorf("%v.%s is %v, want a number, %q or %q", to.Type(), from.Type().Field(i).Name, f.Interface(), infinity, "-"+infinity)
			}
			f = reflect.ValueOf(x)
		}
		to.FieldByIndex(at).Set(f)
	}
	return nil
}

// number returns the value of a JSON number or of a string for an infinity, or false for other values.
func number(x any) (float64, bool) {
	switch x := x.(type) {
	case float64:
		return x, true
	case string:
		switch x {
		case infinity:
			return math.Inf(1), true
		case "-" + infinity:
			return math.Inf(-1), true
		}
	}
	return 0, false
}
