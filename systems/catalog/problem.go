package catalog

import "fmt"

// Problem returns what is wrong with a component of an agent with a mass in kilograms, and
// with which parameter, where steps are dt seconds long. The component is given as a pointer,
// with its parameters. An empty text means that all is well, and an empty key that it is
// none of them alone.
func (e *Entry) Problem(component any, params []Param, mass, dt float64) (key, problem string) {
	for k := range params {
		p := &params[k]
		if problem = p.gainProblem(mass, dt); problem == "" {
			problem = p.Problem()
		}
		if problem != "" {
			return p.Key, problem
		}
	}
	if e.Check != nil {
		return e.Check(component)
	}
	return "", ""
}

// gainProblem refuses a gain that would remove more than the whole error in one step:
// gain·dt/mass above 1 swings, and above 2 grows without end.
func (p *Param) gainProblem(mass, dt float64) string {
	if !p.Gain || p.Unit != "kg/s" {
		return ""
	}
	gain, _ := p.Number()
	if tau := gain * dt / mass; !(tau >= 0 && tau <= 1) {
		return fmt.Sprintf("is %v kg/s, want 0 to mass/dt = %v", gain, mass/dt)
	}
	return ""
}
