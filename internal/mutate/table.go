package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// mutation is one change to the code. If At is empty, Old occurs exactly once in the file. Otherwise At is
// the text, without indentation, of a line that occurs exactly once, and Old is at byte Column of that text,
// counting from 0.
type mutation struct {
	Name   string   `toml:"name"`
	File   string   `toml:"file"`
	At     string   `toml:"at,omitempty"`
	Column int      `toml:"column,omitempty"`
	Old    string   `toml:"old"`
	New    string   `toml:"new"`
	By     string   `toml:"by,omitempty"`     // package.Test that caught the mutation before; it runs first
	Tests  []string `toml:"tests,omitempty"`  // arguments of each run of go test; if empty, see runs
	Reason string   `toml:"reason,omitempty"` // why no test can catch the mutation
}

type table struct {
	Mutation []mutation `toml:"mutation"`
}

func readTables(pattern string) (all []mutation, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t table
		if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&t); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, t.Mutation...)
	}
	return all, nil
}

func (m *mutation) apply(text string) (string, error) {
	if m.At == "" {
		if n := strings.Count(text, m.Old); n != 1 {
			return "", fmt.Errorf("the text to replace occurs %d times, want once", n)
		}
		return strings.Replace(text, m.Old, m.New, 1), nil
	}
	lines, at := strings.SplitAfter(text, "\n"), -1
	for i, line := range lines {
		if strings.TrimSpace(line) != m.At {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("the line %q occurs more than once, want once", m.At)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("the line %q does not occur, want once", m.At)
	}
	indent := len(lines[at]) - len(strings.TrimLeft(lines[at], "\t "))
	before, rest := lines[at][:indent+m.Column], lines[at][indent+m.Column:]
	if !strings.HasPrefix(rest, m.Old) {
		return "", fmt.Errorf("the text at byte %d of the line is not %q", m.Column, m.Old)
	}
	lines[at] = before + m.New + rest[len(m.Old):]
	return strings.Join(lines, ""), nil
}

// users lists the other packages whose tests use the code of a folder, the quickest first.
var users = map[string][]string{
	"components":      {"./systems", "./world"},
	"internal/column": {"./systems/frame", "./systems"},
	"internal/pool":   {"./systems/frame", "./systems"},
	"internal/space":  {"./systems/sense", "./systems"},
	"internal/orca":   {"./systems"},
	"internal/vec":    {"./systems"},

	"internal/formats/steerbench": {"./world/scene"},
	"internal/formats/umans":      {"./world/scene"},

	"systems/catalog": {"./systems", "./world", "./world/scene"},
	"systems/frame":   {"./systems", "./world"},
	"systems/sense":   {"./systems", "./world"},
	"systems/measure": {"./world"},
	"systems":         {"./world"},
	"world":           {"./world/scene"},
}

// runs returns the arguments of successive runs of go test, which end with the first failure.
func (m *mutation) runs() (runs []string) {
	if i := strings.LastIndex(m.By, "."); i >= 0 {
		runs = append(runs, fmt.Sprintf("-tags e2e -run ^%s$ ./%s", m.By[i+1:], m.By[:i]))
	}
	tests := m.Tests
	if len(tests) == 0 {
		folder := path.Dir(m.File)
		tests = append([]string{"./" + folder}, users[folder]...)
	}
	for _, tier := range []string{"", "-tags e2e "} { // the first tier catches most
		for _, t := range tests {
			runs = append(runs, tier+t)
		}
	}
	return runs
}

var folders = []string{
	"components", "systems", "systems/catalog", "systems/frame", "systems/sense", "systems/measure", "world", "world/scene",
	"internal/column", "internal/orca", "internal/pool", "internal/space", "internal/formats/steerbench", "internal/formats/umans", "internal/vec", "internal/textio",
}

// draw prints mutations that compile, about the same number for each operator.
func draw(ctx context.Context, scratch string, count int, seed uint64) error {
	byOperator := map[string][]mutation{}
	for _, folder := range folders {
		sites, err := sites(folder)
		if err != nil {
			return err
		}
		for _, m := range sites {
			byOperator[m.Name] = append(byOperator[m.Name], m)
		}
	}
	var operators []string
	random := rand.New(rand.NewPCG(seed, 0))
	for name := range byOperator {
		operators = append(operators, name)
	}
	slices.Sort(operators)
	for _, name := range operators {
		all := byOperator[name]
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	}
	var drawn table
	for len(drawn.Mutation) < count {
		before := len(drawn.Mutation)
		for _, name := range operators {
			for len(byOperator[name]) > 0 && len(drawn.Mutation) < count {
				m := byOperator[name][0]
				byOperator[name] = byOperator[name][1:]
				if compiles(ctx, scratch, &m) {
					drawn.Mutation = append(drawn.Mutation, m)
					break
				}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(drawn.Mutation) == before {
			return fmt.Errorf("only %d mutations compile, want %d", before, count)
		}
	}
	slices.SortStableFunc(drawn.Mutation, func(a, b mutation) int { return strings.Compare(a.File, b.File) })
	text, err := toml.Marshal(drawn)
	if err != nil {
		return err
	}
	fmt.Printf("# Drawn by: .ci/mutate --draw %d --seed %d\n\n%s", count, seed, text)
	return nil
}

func compiles(ctx context.Context, scratch string, m *mutation) bool {
	overlay, err := m.lay(scratch)
	return err == nil && exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "./"+path.Dir(m.File)).Run() == nil
}

var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

func sites(folder string) (all []mutation, err error) {
	pkg, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	for _, name := range pkg.GoFiles {
		file := path.Join(folder, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := sitesOf(file, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// sitesOf returns possible mutations of a file, except in constants, in messages, and in lines that occur
// more than once.
func sitesOf(file, text string) (all []mutation, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(text, "\n")
	add := func(name string, at token.Pos, from, to string) {
		p := set.Position(at)
		line := lines[p.Line-1]
		indent := len(line) - len(strings.TrimLeft(line, "\t "))
		m := mutation{Name: name, File: file, At: strings.TrimSpace(line), Column: p.Column - 1 - indent, Old: from, New: to}
		if _, err := m.apply(text); err == nil {
			all = append(all, m)
		}
	}
	swap := func(op token.Token, at token.Pos) {
		if to, ok := swaps[op]; ok {
			add(fmt.Sprintf("%v to %v", op, to), at, op.String(), to.String())
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // limits and the like are constants, not rules
		case *ast.CallExpr:
			name, isName := n.Fun.(*ast.Ident)
			switch {
			case isName && name.Name == "panic", says(n.Fun):
				return false // texts of messages
			case isName && name.Name == "min":
				add("min to max", name.Pos(), "min", "max")
			case isName && name.Name == "max":
				add("max to min", name.Pos(), "max", "min")
			}
		case *ast.BinaryExpr:
			swap(n.Op, n.OpPos)
		case *ast.AssignStmt:
			swap(n.Tok, n.TokPos)
		case *ast.IncDecStmt:
			swap(n.Tok, n.TokPos)
		case *ast.UnaryExpr:
			if n.Op == token.NOT || n.Op == token.SUB {
				add("without "+n.Op.String(), n.OpPos, n.Op.String(), "")
			}
		case *ast.IfStmt:
			if n.Init == nil {
				add("never", n.Cond.Pos(), "", "false && ")
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				if id, ok := n.Results[0].(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					add("return the opposite", id.Pos(), "", "!")
				}
			}
		case *ast.BasicLit:
			switch n.Kind {
			case token.INT:
				if x, err := strconv.Atoi(n.Value); err == nil {
					add("one more", n.Pos(), n.Value, strconv.Itoa(x+1))
				}
			case token.FLOAT:
				add("twice as much", n.Pos(), n.Value, "2*"+n.Value)
			}
		}
		return true
	})
	return all, nil
}

func says(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, _ := s.X.(*ast.Ident)
	return from != nil && (from.Name == "fmt" || from.Name == "errors")
}
