package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parsed returns the files of a package's folder, tests or others.
func parsed(t *testing.T, dir string, tests bool) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var files []*ast.File
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") != tests {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// receiver returns the name of the type that a method is of, empty for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return typeName(f.Recv.List[0].Type)
}

func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}

// TestExportedNamesHaveComments: what a package shows, its documentation tells of. In a list
// of constants or variables a comment above it is enough.
func TestExportedNamesHaveComments(t *testing.T) {
	var bare []string
	tell := func(comment string, name ...string) {
		if comment == "" {
			bare = append(bare, strings.Join(name, " "))
		}
	}
	for _, p := range packages(t) {
		dir, ours := strings.CutPrefix(p.ImportPath, module+"/")
		if !ours {
			continue
		}
		files := parsed(t, filepath.Join(root, dir), false)
		documented := len(files) == 0 // tests alone
		for _, file := range files {
			documented = documented || file.Doc != nil
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
						tell(d.Doc.Text(), dir, receiver(d), d.Name.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							if s.Name.IsExported() {
								tell(d.Doc.Text()+s.Doc.Text(), dir, s.Name.Name)
							}
						case *ast.ValueSpec:
							for _, n := range s.Names {
								if n.IsExported() {
									tell(d.Doc.Text()+s.Doc.Text()+s.Comment.Text(), dir, n.Name)
								}
							}
						}
					}
				}
			}
		}
		if !documented {
			bare = append(bare, "package "+dir)
		}
	}
	require.Empty(t, bare, "without a comment")
}

// shown are the types of package routing whose methods have examples.
var shown = map[string]bool{"Engine": true, "Session": true, "MatchStream": true, "Instructions": true, "Week": true}

// TestExamplesOfRouting: every function of package routing has an example of its name. A
// method of the types shown has one too, or is called in that of another. Examples are run,
// and so have their output.
func TestExamplesOfRouting(t *testing.T) {
	dir := filepath.Join(root, "routing")
	examples, called := map[string]bool{}, map[string]bool{}
	for _, file := range parsed(t, dir, true) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Example") {
				continue
			}
			require.True(t, hasOutput(file, f), "%s has no output, so it is not run", f.Name)
			examples[strings.TrimPrefix(f.Name.Name, "Example")] = true
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); !ok || x.Name != "routing" {
						called[s.Sel.Name] = true
					}
				}
				return true
			})
		}
	}
	require.NotEmpty(t, examples)
	for _, file := range parsed(t, dir, false) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			switch of := receiver(f); {
			case of == "":
				require.True(t, examples[name], "routing.%s has no example", name)
			case shown[of]:
				require.True(t, examples[of+"_"+name] || called[name], "%s.%s has no example", of, name)
			}
		}
	}
}

// hasOutput tells whether an example says what it prints.
func hasOutput(file *ast.File, f *ast.FuncDecl) bool {
	for _, c := range file.Comments {
		if c.Pos() > f.Body.Lbrace && c.End() < f.Body.Rbrace && strings.HasPrefix(c.Text(), "Output:") {
			return true
		}
	}
	return false
}
