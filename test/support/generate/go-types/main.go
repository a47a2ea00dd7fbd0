package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiregv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

var special = map[reflect.Type]string{
	reflect.TypeOf(resource.Quantity{}):   "quantity",
	reflect.TypeOf(intstr.IntOrString{}):  "intstr",
	reflect.TypeOf(metav1.Time{}):         "time",
	reflect.TypeOf(metav1.MicroTime{}):    "microtime",
	reflect.TypeOf(metav1.Duration{}):     "duration",
	reflect.TypeOf(metav1.FieldsV1{}):     "raw",
	reflect.TypeOf(runtime.RawExtension{}): "raw",
	reflect.TypeOf(apiextv1.JSON{}): "raw",
	reflect.TypeOf(apiextv1.JSONSchemaPropsOrBool{}): "raw",
	reflect.TypeOf(apiextv1.JSONSchemaPropsOrArray{}): "raw",
	reflect.TypeOf(apiextv1.JSONSchemaPropsOrStringArray{}): "raw",
	reflect.TypeOf([]byte{}):              "bytes",
}

var out = map[string][]string{}
var seen = map[reflect.Type]string{}

func pkg(t reflect.Type) string {
	p := t.PkgPath()
	p = strings.TrimPrefix(p, "k8s.io/")
	p = strings.Replace(p, "apimachinery/pkg/apis/", "", 1)
	p = strings.Replace(p, "kubernetes/pkg/apis/", "internal/", 1)
	p = strings.Replace(p, "apiextensions-apiserver/pkg/apis/", "", 1)
	p = strings.Replace(p, "kube-aggregator/pkg/apis/", "", 1)
	p = strings.TrimPrefix(p, "api/")
	return p
}
func name(t reflect.Type) string { return pkg(t) + "." + t.Name() }

func ref(t reflect.Type, internal bool) string {
	if s, ok := special[t]; ok {
		return s
	}
	switch t.Kind() {
	case reflect.Ptr:
		return "*" + ref(t.Elem(), internal)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + ref(t.Elem(), internal) + alias(t, "~", internal)
	case reflect.Map:
		return "{}" + ref(t.Elem(), internal) + alias(t, "~", internal)
	case reflect.Struct:
		return visit(t, internal)
	case reflect.Interface:
		return "raw"
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64, reflect.Float32, reflect.Int, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return t.Kind().String() + alias(t, "=", internal)
	}
	panic(t.String())
}

func alias(t reflect.Type, sep string, internal bool) string {
	if internal || t.Name() == "" || t.Name() == t.Kind().String() { return "" }
	return sep + t.String()
}

func fields(t reflect.Type, internal bool) []string { return prefixed(t, internal, "") }

func prefixed(t reflect.Type, internal bool, prefix string) []string {
	var fs []string
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if f.PkgPath != "" && !f.Anonymous {
			continue
		}
		tag, has := f.Tag.Lookup("json")
		parts := strings.Split(tag, ",")
		if parts[0] == "-" {
			continue
		}
		inline := false
		omit := ""
		for _, p := range parts[1:] {
			if p == "inline" {
				inline = true
			}
			if p == "omitempty" && !strings.Contains(omit, "?") {
				omit += "?"
			}
			if p == "omitzero" {
				omit += "!"
			}
		}
		if f.Anonymous && (inline || !has || parts[0] == "") {
			ft := f.Type
			if ft.Kind() == reflect.Ptr { ft = ft.Elem() }
			p := prefix + f.Name + "."
			if internal || f.Name == "TypeMeta" || f.Name == "ObjectMeta" { p = "" }
			fs = append(fs, prefixed(ft, internal, p)...)
			continue
		}
		jn := parts[0]
		if jn == "" {
			jn = f.Name
		}
		entry := prefix + jn + " " + omit + ref(f.Type, internal)
		if !internal && !strings.EqualFold(jn, f.Name) {
			entry += " " + f.Name
		}
		fs = append(fs, entry)
	}
	return fs
}

func visit(t reflect.Type, internal bool) string {
	if n, ok := seen[t]; ok {
		return n
	}
	n := name(t)
	seen[t] = n
	out[n] = fields(t, internal)
	return n
}

func main() {
	s := legacyscheme.Scheme
	apiextv1.AddToScheme(s)
	apiregv1.AddToScheme(s)
	kinds := map[string]string{}
	internals := map[string]string{}
	roots := map[string]bool{}
	for _, r := range os.Args[1:] { roots[r] = true }
	for gvk, t := range s.AllKnownTypes() {
		if strings.HasSuffix(gvk.Kind, "List") || strings.HasSuffix(gvk.Kind, "Options") || gvk.Kind == "WatchEvent" || strings.HasPrefix(gvk.Kind, "API") && gvk.Kind != "APIService" || gvk.Kind == "ConversionReview" || gvk.Kind == "PodStatusResult" || gvk.Kind == "SerializedReference" || gvk.Kind == "RangeAllocation" || gvk.Group == "imagepolicy.k8s.io" || gvk.Group == "internal.apiserver.k8s.io" {
			continue
		}
		if gvk.Version == runtime.APIVersionInternal {
			internals[gvk.Group+"/"+gvk.Kind] = t.Name()
			for i := 0; i < t.NumField(); i++ {
				if t.Field(i).Name == "Spec" || true {
					ft := t.Field(i).Type
					if ft.Kind() == reflect.Struct && roots[name(ft)] { visit(ft, true) }
				}
			}
			continue
		}
		if strings.Contains(gvk.Version, "alpha") || strings.Contains(gvk.Version, "beta") {
			continue
		}
		kinds[schema.GroupVersion{Group: gvk.Group, Version: gvk.Version}.String()+" "+gvk.Kind] = visit(t, false)
	}
	for _, r := range []schema.GroupVersionKind{} { _ = r }
	names := make([]string, 0, len(out))
	for n := range out { names = append(names, n) }
	sort.Strings(names)
	var b strings.Builder
	b.WriteString("{\n \"kinds\": {\n")
	ks := make([]string, 0); for k := range kinds { ks = append(ks, k) }; sort.Strings(ks)
	for i, k := range ks { sep := ","; if i == len(ks)-1 { sep = "" }; fmt.Fprintf(&b, "  %q: %q%s\n", k, kinds[k], sep) }
	b.WriteString(" },\n \"types\": {\n")
	for i, n := range names { sep := ","; if i == len(names)-1 { sep = "" }
		j, _ := json.Marshal(strings.Join(out[n], ", "))
		fmt.Fprintf(&b, "  %q: %s%s\n", n, j, sep) }
	b.WriteString(" }\n}\n")
	os.Stdout.WriteString(b.String())
}
