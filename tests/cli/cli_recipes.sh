#!/bin/sh
# The recipes of packagers, filled for a release: each as far as it can be tried without its tool. A script that starts the program stands
# for the static file, and the network is never asked.
. "$(dirname "$0")/lib.sh"
source=$NSC_TEST_SOURCE
rm -rf release recipes
version=$("$program" --version | sed -n 's/^nsyscope //p')
name=nsyscope-$version
arch=$(uname -m)
mkdir -p "release/tree/$name-linux-$arch/bin" "release/tree/$name-linux-$arch/share/man"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"release/$name-linux-x86_64"
chmod +x "release/$name-linux-x86_64"
cp "release/$name-linux-x86_64" "release/$name-linux-aarch64"
cp "release/$name-linux-x86_64" "release/tree/$name-linux-$arch/bin/nsyscope"
for of in x86_64 aarch64; do tar -czf "release/$name-linux-$of.tar.gz" -C release/tree "$name-linux-$arch"; done
tar -czf "release/$name.tar.gz" -C "$source" CMakeLists.txt
(cd release && sha256sum -- *.tar.gz "$name-linux-x86_64" "$name-linux-aarch64" >SHA256SUMS)
expect 0 "$source/packaging/recipes/fill" release https://example.org/nsyscope recipes
grep -rn --include='*' -I '@[A-Z0-9_]*@' recipes | grep -v 'README' && fail "not filled"
sum() { sha256sum "release/$1" | cut -d' ' -f1; }
not_tried() { echo "$1 is missing: $2 NOT TESTED"; }

# holds FILE TEXT...
holds() {
    file=$1
    shift
    for text; do grep -qF -- "$text" "recipes/$file" || fail "$file does not hold $text"; done
}
# The source, the files for both processors, and options that the build knows.
for file in package.py "$name.eb" nsyscope.rb; do holds $file "$(sum "$name.tar.gz")"; done
holds meta.yaml "/$name-linux-x86_64.tar.gz" "$(sum "$name-linux-x86_64.tar.gz")" "/$name-linux-aarch64.tar.gz" "$(sum "$name-linux-aarch64.tar.gz")"
for option in $(grep -rhoE 'NSC_[A-Z]+' recipes/package.py "recipes/$name.eb" recipes/nsyscope.rb | sort -u); do
    grep -q "^option($option\|^set($option" "$source/CMakeLists.txt" || fail "the build has no option $option"
done
# Each library and tool that the README installs to build is a dependency of the recipes from source.
for file in package.py "$name.eb" nsyscope.rb; do
    for library in cmake ninja pkg ncurses sqlite unistring zlib; do grep -qi "$library" "recipes/$file" || fail "$file does not depend on $library"; done
done

# Spack and EasyBuild are Python: run with stand-ins for what their tools define.
if command -v python3 >/dev/null; then
    cat >try.py <<'END'
import sys, types
version, out, source_sum = sys.argv[1:]
calls = {}
def call(name):
    return lambda *words, **options: calls.setdefault(name, []).append((words, options))
class CMakePackage:
    def define(self, name, value): return "-D%s=%s" % (name, "ON" if value else "OFF")
package = types.ModuleType("spack.package")
package.CMakePackage = CMakePackage
for name in ("license", "version", "depends_on", "generator"): setattr(package, name, call(name))
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = package
names = {}
exec(open(out + "/package.py").read(), names)
assert calls["version"] == [((version,), {"sha256": source_sum})], calls
assert names["Nsyscope"].url.endswith("/nsyscope-%s.tar.gz" % version)
assert names["Nsyscope"]().cmake_args()[0] == "-DNSC_TESTS=OFF"
easy = {}
exec(open("%s/nsyscope-%s.eb" % (out, version)).read(), easy)
for name in "easyblock name version homepage description toolchain sources checksums moduleclass".split(): assert easy[name], name
assert easy["sources"][0] % {"version": version} == "nsyscope-%s.tar.gz" % version and easy["checksums"] == [source_sum]
try:
    import yaml
except ImportError:
    print("PyYAML is missing: meta.yaml IS NOT PARSED")
else:
    conda = yaml.safe_load(open(out + "/meta.yaml"))
    assert conda["package"] == {"name": "nsyscope", "version": version} and len(conda["source"]) == 2 and conda["build"]["script"], conda
END
    expect 0 python3 try.py "$version" recipes "$(sum "$name.tar.gz")"
    cat out
else
    not_tried python3 "package.py, $name.eb and meta.yaml ARE"
fi
# The commands of conda work in a tree of the tarball.
script=$(sed -n 's/^  script: //p' recipes/meta.yaml)
(cd "release/tree/$name-linux-$arch" && PREFIX=$PWD/../conda sh -c "$script") && expect 0 release/tree/conda/bin/nsyscope --version
if command -v ruby >/dev/null; then expect 0 ruby -c recipes/nsyscope.rb; else not_tried ruby "nsyscope.rb IS"; fi

# A container gets a file that the release has, and starts it.
for of in x86_64 aarch64; do
    file=$(sed -n 's/^COPY --chmod=755 \([^ ]*\) .*/\1/p' recipes/Dockerfile | sed "s/\${ARCH}/$of/")
    [ -f "release/$file" ] || fail "Dockerfile copies $file"
done
holds Dockerfile 'FROM scratch' 'ENTRYPOINT ["/nsyscope"]'
file=$(sed -n 's,^ *\(nsyscope-[^ ]*\) /bin/nsyscope$,\1,p' recipes/nsyscope.def)
[ -f "release/$file" ] || fail "nsyscope.def copies $file"

# The module file puts the unpacked tarball in PATH.
if command -v tclsh >/dev/null; then
    cat >try.tcl <<'END'
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {name folder} { if {![file isdirectory $folder]} { error "$name: no folder $folder" }; puts "$name $folder" }
source [lindex $argv 0]
END
    NSYSCOPE_ROOT=$PWD/release/tree/$name-linux-$arch expect 0 tclsh try.tcl "recipes/$version"
    prints "PATH $PWD/release/tree/$name-linux-$arch/bin"
else
    not_tried tclsh "the module file IS"
fi

# npm packs the files, and installs the package offline: it runs the program, with its status.
if command -v npm >/dev/null; then
    export npm_config_cache="$PWD/npm-cache" npm_config_offline=true npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
    (cd recipes/npm && npm pack >pack.log 2>&1) || fail "npm pack: $(cat recipes/npm/pack.log)"
    mkdir -p recipes/home && (cd recipes/home && npm install "../npm/$name.tgz" >install.log 2>&1) || fail "npm install: $(cat recipes/home/install.log)"
    expect 0 recipes/home/node_modules/.bin/nsyscope --version
    prints "nsyscope $version"
    expect 3 recipes/home/node_modules/.bin/nsyscope info no/such.sqlite
    says "no/such.sqlite"
else
    not_tried npm "the npm package IS"
fi
finish
