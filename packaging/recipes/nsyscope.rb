# Homebrew on Linux: brew install --formula nsyscope.rb
class Nsyscope < Formula
  desc "Terminal explorer of NVIDIA Nsight Systems reports"
  homepage "@URL@"
  url "@URL@/nsyscope-@VERSION@.tar.gz"
  sha256 "@SOURCE_SUM@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "libunistring"
  depends_on :linux
  depends_on "ncurses"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DNSC_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"nsyscope", "generate", "--kernels", "100", "example.sqlite"
    assert_match "GPU 0", shell_output("#{bin}/nsyscope summary example.sqlite")
  end
end
