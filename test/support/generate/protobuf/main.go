// Writes the table of protobuf messages of the Kubernetes API by reflection over the struct tags of its Go types.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var special = map[reflect.Type]string{
	reflect.TypeOf(resource.Quantity{}):                     "q",
	reflect.TypeOf(intstr.IntOrString{}):                    "o",
	reflect.TypeOf(metav1.Time{}):                           "t",
	reflect.TypeOf(metav1.MicroTime{}):                      "m",
	reflect.TypeOf(metav1.FieldsV1{}):                       "f",
	reflect.TypeOf(runtime.RawExtension{}):                  "r",
	reflect.TypeOf(apiextv1.JSON{}):                         "j",
}

type unmarshaler interface{ Unmarshal([]byte) error }

var isMessage = reflect.TypeOf((*unmarshaler)(nil)).Elem()
var messages = map[string]string{}

func name(t reflect.Type) string {
	p := t.PkgPath()
	for _, cut := range []string{"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apiextensions-apiserver/pkg/apis/", "k8s.io/kube-aggregator/pkg/apis/", "k8s.io/apimachinery/pkg/"} {
		p = strings.TrimPrefix(p, cut)
	}
	return p + "." + t.Name()
}

func ref(t reflect.Type) string {
	if s, ok := special[t]; ok {
		return s
	}
	if t.Kind() == reflect.Slice && t.Name() != "" && reflect.PointerTo(t).Implements(isMessage) {
		if t.Elem().Kind() != reflect.String {
			panic(t.String())
		}
		return "x"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + ref(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "y"
		}
		return "[" + ref(t.Elem())
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(t.String())
		}
		return "{" + ref(t.Elem())
	case reflect.Struct:
		visit(t)
		return "." + name(t)
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Int32:
		return "i"
	case reflect.Int64:
		return "l"
	case reflect.Float64:
		return "d"
	}
	panic(t.String())
}

func fields(t reflect.Type) []string {
	var out []string
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("json"), ",")
		proto := strings.Split(f.Tag.Get("protobuf"), ",")
		if tag[0] == "-" {
			continue
		}
		if len(proto) < 2 {
			if f.Type != reflect.TypeOf(metav1.TypeMeta{}) {
				fmt.Fprintln(os.Stderr, "no protobuf:", t, f.Name)
			}
			continue
		}
		flags, inline := "", false
		for _, part := range tag[1:] {
			switch part {
			case "omitempty":
				flags = "?" + flags
			case "omitzero":
				flags += "!"
			case "inline":
				inline = true
			case "string":
				panic("string")
			}
		}
		jsonName := tag[0]
		if inline || f.Anonymous && jsonName == "" {
			jsonName, flags = "", ""
		} else if jsonName == "" {
			jsonName = f.Name
		}
		entry := jsonName + flags + " " + proto[1] + ref(f.Type)
		if jsonName == "" || strings.ToUpper(jsonName[:1])+jsonName[1:] != f.Name {
			entry += " " + f.Name
		}
		out = append(out, entry)
	}
	return out
}

func visit(t reflect.Type) {
	n := name(t)
	if _, ok := messages[n]; ok {
		return
	}
	messages[n] = ""
	if !reflect.PointerTo(t).Implements(isMessage) {
		fmt.Fprintln(os.Stderr, "not a message:", n)
	}
	messages[n] = strings.Join(fields(t), ", ")
}

func served() map[string]bool {
	var doc map[string]any
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		panic(err)
	}
	out := map[string]bool{}
	for path := range doc {
		parts := strings.Split(strings.Trim(path, "/"), "/")
		if parts[0] == "api" && len(parts) == 2 {
			out[parts[1]] = true
		}
		if parts[0] == "apis" && len(parts) == 3 {
			out[parts[1]+"/"+parts[2]] = true
		}
	}
	return out
}

func write(b *strings.Builder, title string, m map[string]string, last bool) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	fmt.Fprintf(b, " %q: {\n", title)
	for i, k := range keys {
		sep := ","
		if i == len(keys)-1 {
			sep = ""
		}
		v, _ := json.Marshal(m[k])
		fmt.Fprintf(b, "  %q: %s%s\n", k, v, sep)
	}
	b.WriteString(map[bool]string{false: " },\n", true: " }\n"}[last])
}

func main() {
	s := scheme.Scheme
	if err := apiextv1.AddToScheme(s); err != nil {
		panic(err)
	}
	if err := apiregv1.AddToScheme(s); err != nil {
		panic(err)
	}
	want := served()
	kinds := map[string]string{}
	for gvk, t := range s.AllKnownTypes() {
		gv := schema.GroupVersion{Group: gvk.Group, Version: gvk.Version}.String()
		if !want[gv] || strings.HasSuffix(gvk.Kind, "Options") || gvk.Kind == "WatchEvent" || strings.HasPrefix(gvk.Kind, "API") && gvk.Kind != "APIService" {
			continue
		}
		if _, list := t.FieldByName("Items"); list {
			continue
		}
		if !reflect.PointerTo(t).Implements(isMessage) {
			fmt.Fprintln(os.Stderr, "skipped:", gvk)
			continue
		}
		kinds[gv+" "+gvk.Kind] = ref(t)[1:]
	}
	kinds["DeleteOptions"] = ref(reflect.TypeOf(metav1.DeleteOptions{}))[1:]
	var b strings.Builder
	b.WriteString("{\n")
	write(&b, "kinds", kinds, false)
	write(&b, "messages", messages, true)
	b.WriteString("}\n")
	os.Stdout.WriteString(b.String())
}
