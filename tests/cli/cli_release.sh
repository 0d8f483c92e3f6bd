#!/bin/sh
# The files of a release of a static program: each kind installs and works; and a release of the commit gives equal bytes twice.
. "$(dirname "$0")/lib.sh"
source=$NSC_TEST_SOURCE
for tool in rpmbuild rpm2archive dpkg-deb; do
    command -v $tool >/dev/null || { echo "$tool is missing: NOT TESTED"; exit 77; }
done

build=$NSC_STATIC_BUILD
SOURCE_DATE_EPOCH=1700000000
MAINTAINER='A B <a.b@debian.org>'
arch=$(uname -m)
export SOURCE_DATE_EPOCH MAINTAINER
rm -rf root once twice home unpacked
DESTDIR=$PWD/root cmake --install "$build" --prefix /usr >log || fail "cmake --install: $(tail -3 log)"
# The second time on another file system, where folders have another size.
for out in once twice; do
    [ $out = once ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
    "$source/packaging/pack" root "$arch" $out "$source/LICENSE" >log 2>&1 || { cat log; fail "packaging/pack"; finish; }
done
unset TMPDIR
(cd once && sha256sum -- *) >here
(cd twice && sha256sum -- *) >there
cmp -s here there || fail "two runs differ: $(diff here there)"
[ "$(wc -l <here)" = 5 ] || fail "not five files: $(cat here)"
version=$("$program" --version | sed -n 's/^nsyscope //p')
name=nsyscope-$version-linux-$arch

# The tarball, from a home folder.
"$program" generate --force export.sqlite >log
mkdir home
tar -xzf "once/$name.tar.gz" -C home || fail "the tarball is not whole"
expect 0 env -i HOME="$PWD/home" "home/$name/bin/nsyscope" summary export.sqlite
cp out want
[ -s "home/$name/notices/$(basename "$source")" ] || fail "no notices"
cmp -s "once/$name" "home/$name/bin/nsyscope" || fail "the file is not the program of the tarball"

# The .rpm, listed and unpacked.
rpm=once/nsyscope-$version-1.$arch.rpm
expect 0 rpm -qp --requires "$rpm"
grep -v '^rpmlib' out && fail "the .rpm requires something"
expect 0 rpm -qlp "$rpm"
prints /usr/share/man/man1/nsyscope.1.gz
mkdir unpacked
cp "$rpm" unpacked/of.rpm
rpm2archive unpacked/of.rpm && tar -xzf unpacked/of.rpm.tgz -C unpacked || fail "the .rpm is not whole"
cmp -s "once/$name" unpacked/usr/bin/nsyscope || fail "the .rpm holds another program"

# What is linked in.
for library in SQLite ncurses zlib libunistring; do
    its=$("once/$name" --version | sed -n "s/.*$library \([0-9.]*\).*/\1/p")
    grep -q "\"name\": \"$library\", \"versionInfo\": \"$its\"" "once/$name.spdx.json" || fail "the SPDX file does not name $library $its"
done
! command -v python3 >/dev/null || python3 -m json.tool "once/$name.spdx.json" >log || fail "the SPDX file is no JSON"

# The .deb, in a Debian that holds nothing else.
deb=once/nsyscope_${version}_$(dpkg --print-architecture).deb
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning "$deb" >log 2>/dev/null || fail "lintian: $(cat log)"
fi
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "not root, or no debootstrap: THE .deb IS NOT INSTALLED"
elif [ ! -e debian/etc/debian_version ] && ! debootstrap --variant=minbase stable debian >log 2>&1; then
    rm -rf debian
    echo "no Debian can be made: THE .deb IS NOT INSTALLED: $(tail -1 log)"
else
    cp "$deb" debian/nsyscope.deb
    cp export.sqlite debian/export.sqlite
    expect 0 chroot debian dpkg -i /nsyscope.deb
    expect 0 chroot debian nsyscope summary /export.sqlite
    sed 's,/export,export,' out | cmp -s - want || fail "the .deb answers otherwise: $(diff out want | head -3)"
    expect 0 chroot debian dpkg -r nsyscope
    [ ! -e debian/usr/bin/nsyscope ] || fail "dpkg -r leaves the program"
fi

# A release of the commit, in two clones, below temporary folders with names of other lengths, with other settings of the user.
if ! git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
    echo "no clone: THE RELEASE IS NOT MADE TWICE"
    finish
fi
rm -rf releases && mkdir -p releases/t releases/temporary-files/home
printf '[tar]\n\tumask = 0077\n' >releases/temporary-files/home/.gitconfig
printf '%%packager Somebody\n' >releases/temporary-files/home/.rpmmacros
unset SOURCE_DATE_EPOCH MAINTAINER
git clone -q "$source" releases/t/clone && git clone -q releases/t/clone releases/temporary-files/clone || fail "git clone"
for folder in t temporary-files; do
    (
        [ $folder = t ] || export HOME="$PWD/releases/$folder/home"
        TMPDIR=$PWD/releases/$folder LDFLAGS=-Wl,--no-such-option releases/$folder/clone/packaging/release releases/$folder/out
    ) >log 2>&1 || fail "packaging/release: $(tail -3 log)"
    (cd releases/$folder/out && sha256sum -c --quiet SHA256SUMS) || fail "sums of $folder"
done
cmp releases/t/out/SHA256SUMS releases/temporary-files/out/SHA256SUMS || fail "two releases differ: $(diff releases/*/out/SHA256SUMS)"
[ "$(wc -l <releases/t/out/SHA256SUMS)" = 6 ] || fail "not six files: $(cat releases/t/out/SHA256SUMS)"
rm -rf releases
finish
