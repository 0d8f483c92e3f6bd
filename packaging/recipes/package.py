# Spack: repos/REPO/packages/nsyscope/package.py
from spack.package import *


class Nsyscope(CMakePackage):
    """Terminal explorer of NVIDIA Nsight Systems reports."""

    url = "@URL@/nsyscope-@VERSION@.tar.gz"
    license("MIT")
    version("@VERSION@", sha256="@SOURCE_SUM@")
    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("ncurses+termlib")
    depends_on("sqlite@3.34:")
    depends_on("libunistring")
    depends_on("zlib-api")
    generator("ninja")

    def cmake_args(self):
        return [self.define("NSC_TESTS", False), self.define("CMAKE_INTERPROCEDURAL_OPTIMIZATION", True)]
