// Renders a chart as helm template does, with Helm's own engine and functions: text/template and sprig. It prints a
// JSON object of texts by file. Debian has no package of Helm; where helm is installed, the tests use it instead.
//
// Usage: go run render.go CHART RELEASE VALUES, where VALUES is a JSON object of values that replace those of the chart.
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

func main() {
	chart, release, given := os.Args[1], os.Args[2], os.Args[3]
	about, values := map[string]any{}, map[string]any{}
	read(filepath.Join(chart, "Chart.yaml"), &about)
	read(filepath.Join(chart, "values.yaml"), &values)
	replaced := map[string]any{}
	check(json.Unmarshal([]byte(given), &replaced))
	merge(values, replaced)

	templates := template.New("").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	templates.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			err := templates.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value any) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		template.Must(templates.New(filepath.Base(file)).Parse(string(text)))
	}
	data := map[string]any{
		"Chart":   map[string]any{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": map[string]any{"Name": release, "Namespace": "default", "Service": "Helm"},
		"Values":  values,
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		check(templates.ExecuteTemplate(&text, name, data))
		rendered[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func read(file string, into any) {
	text, err := os.ReadFile(file)
	check(err)
	check(yaml.Unmarshal(text, into))
}

// merge replaces values, below objects too.
func merge(into, from map[string]any) {
	for name, value := range from {
		object, isObject := value.(map[string]any)
		if old, ok := into[name].(map[string]any); ok && isObject {
			merge(old, object)
			continue
		}
		into[name] = value
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
